module test.local/hello

go 1.24.0
