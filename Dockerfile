# The same image that `npm run image` writes without a container engine: both take their contents from scripts/image/rootfs.ts.
#   docker build -t s3-csi-driver:2.3.0 .
FROM node:22-bookworm-slim AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates gcc libc6-dev binutils libatomic1 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN npm run image -- --rootfs /rootfs

FROM scratch
COPY --from=build /rootfs /
USER 1000:1000
WORKDIR /
ENV NODE_ENV=production
LABEL org.opencontainers.image.title=s3-csi-driver org.opencontainers.image.licenses=Apache-2.0
ENTRYPOINT ["/bin/s3-csi"]
