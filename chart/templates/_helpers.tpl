{{- define "s3-csi.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "s3-csi.fullname" -}}
{{- if .Values.fullnameOverride }}{{ .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else if contains (include "s3-csi.name" .) .Release.Name }}{{ .Release.Name | trunc 63 | trimSuffix "-" }}
{{- else }}{{ printf "%s-%s" .Release.Name (include "s3-csi.name" .) | trunc 63 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "s3-csi.labels" -}}
app.kubernetes.io/name: {{ include "s3-csi.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/component: csi-driver
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- with .Values.customLabels }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{/* What a workload's selector holds: fixed for the life of the release. */}}
{{- define "s3-csi.selector" -}}
app.kubernetes.io/name: {{ include "s3-csi.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{/* repository:tag of an image value, with the registry of image.containerRegistry in front when there is one. */}}
{{- define "s3-csi.image" -}}
{{- with .registry }}{{ trimSuffix "/" . }}/{{ end }}{{ .image.repository }}:{{ .image.tag | default .tag }}
{{- end }}

{{- define "s3-csi.driverImage" -}}
{{- include "s3-csi.image" (dict "image" .Values.image "registry" .Values.image.containerRegistry "tag" .Chart.AppVersion) }}
{{- end }}

{{- define "s3-csi.endpointUrl" -}}
{{- $url := .Values.node.s3EndpointUrl | default .Values.s3.endpointUrl }}
{{- required "s3.endpointUrl is empty: set it to the URL of the S3 service, such as https://s3.example.com" $url }}
{{- end }}

{{- define "s3-csi.region" -}}
{{- .Values.node.s3Region | default .Values.s3.region }}
{{- end }}

{{/* The ConfigMap with the CA bundle, or nothing. */}}
{{- define "s3-csi.caConfigMap" -}}
{{- if .Values.tls.caCertConfigMap }}{{ .Values.tls.caCertConfigMap }}
{{- else if .Values.tls.caCertData }}s3-csi-ca-bundle{{ end }}
{{- end }}

{{/* klog's numbers, which older values files hold, as this driver's level names. */}}
{{- define "s3-csi.logLevel" -}}
{{- if kindIs "string" . }}{{ . }}
{{- else if ge (int .) 6 }}trace
{{- else if ge (int .) 5 }}debug
{{- else if ge (int .) 2 }}info
{{- else if ge (int .) 1 }}warn
{{- else }}error{{ end }}
{{- end }}

{{- define "s3-csi.pullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end }}

{{/* Non-root, no capability, nothing writable: every container but the privileged one of the node. */}}
{{- define "s3-csi.restricted" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
capabilities:
  drop: [ALL]
seccompProfile:
  type: RuntimeDefault
{{- end }}

{{/* The driver's own credentials as files: a projected Secret follows its changes, an environment does not. */}}
{{- define "s3-csi.credentialsVolume" -}}
name: driver-credentials
secret:
  secretName: {{ .Values.s3CredentialSecret.name }}
  optional: true
  defaultMode: 0440
{{- end }}

{{- define "s3-csi.caVolume" -}}
name: custom-ca
configMap:
  name: {{ include "s3-csi.caConfigMap" . }}
{{- end }}

{{/* The user's additions to a list of ours, without the entries that older values files repeat from the template. */}}
{{- define "s3-csi.extraByName" -}}
{{- $extra := list }}
{{- range .list }}
{{- if not (has (get . $.key) $.taken) }}{{ $extra = append $extra . }}{{ end }}
{{- end }}
{{- if $extra }}{{ toYaml $extra }}{{ end }}
{{- end }}
