{{/* Generated from codegen/settings.schema.json by npm run codegen. Do not edit: change the source and run it again. */}}
{{- define "s3-csi.settings.controller" -}}
- name: LOG_LEVEL
  value: {{ (include "s3-csi.logLevel" .Values.controller.logLevel) | quote }}
- name: AWS_ENDPOINT_URL
  value: {{ (include "s3-csi.endpointUrl" .) | quote }}
- name: AWS_REGION
  value: {{ (include "s3-csi.region" .) | quote }}
- name: S3_CREDENTIALS_ACCESS_KEY_ID_FILE
  value: {{ (.Values.s3CredentialSecret).accessKeyId | quote }}
- name: S3_CREDENTIALS_SECRET_ACCESS_KEY_FILE
  value: {{ (.Values.s3CredentialSecret).secretAccessKey | quote }}
- name: S3_CREDENTIALS_SESSION_TOKEN_FILE
  value: {{ (.Values.s3CredentialSecret).sessionToken | quote }}
- name: METRICS_PORT
  value: {{ (.Values.controller).metricsPort | quote }}
{{- end }}

{{- define "s3-csi.settings.reconciler" -}}
- name: LOG_LEVEL
  value: {{ (include "s3-csi.logLevel" .Values.controller.logLevel) | quote }}
- name: METRICS_PORT
  value: {{ (.Values.controller).reconcilerMetricsPort | quote }}
- name: MOUNTPOINT_NAMESPACE
  value: {{ (.Values.mountpointPod).namespace | quote }}
- name: MOUNTPOINT_VERSION
  value: {{ (.Values.node).mountpointVersion | quote }}
- name: MOUNTPOINT_IMAGE
  value: {{ (include "s3-csi.driverImage" .) | quote }}
- name: MOUNTPOINT_IMAGE_PULL_POLICY
  value: {{ (.Values.image).pullPolicy | quote }}
- name: MOUNTPOINT_IMAGE_PULL_SECRETS
  value: {{ (join "," .Values.imagePullSecrets) | quote }}
- name: MOUNTPOINT_PRIORITY_CLASS_NAME
  value: {{ (.Values.mountpointPod).priorityClassName | quote }}
- name: MOUNTPOINT_PREEMPTING_PRIORITY_CLASS_NAME
  value: {{ (.Values.mountpointPod).preemptingPriorityClassName | quote }}
- name: MOUNTPOINT_HEADROOM_PRIORITY_CLASS_NAME
  value: {{ (.Values.mountpointPod).headroomPriorityClassName | quote }}
- name: MOUNTPOINT_HEADROOM_ENABLED
  value: {{ ((.Values.mountpointPod).headroom).enabled | quote }}
- name: MOUNTPOINT_HEADROOM_IMAGE
  value: {{ (include "s3-csi.image" (dict "image" .Values.mountpointPod.headroomImage)) | quote }}
- name: MOUNTPOINT_RESOURCES_REQUESTS_CPU
  value: {{ (((.Values.mountpointPod).resources).requests).cpu | quote }}
- name: MOUNTPOINT_RESOURCES_REQUESTS_MEMORY
  value: {{ (((.Values.mountpointPod).resources).requests).memory | quote }}
- name: MOUNTPOINT_RESOURCES_LIMITS_CPU
  value: {{ (((.Values.mountpointPod).resources).limits).cpu | quote }}
- name: MOUNTPOINT_RESOURCES_LIMITS_MEMORY
  value: {{ (((.Values.mountpointPod).resources).limits).memory | quote }}
- name: MOUNTPOINT_TERMINATION_GRACE
  value: {{ (.Values.mountpointPod).terminationGrace | quote }}
- name: MOUNTPOINT_LABELS
  value: {{ (toJson (.Values.mountpointPod.labels | default dict)) | quote }}
- name: MOUNTPOINT_ANNOTATIONS
  value: {{ (toJson (.Values.mountpointPod.annotations | default dict)) | quote }}
- name: MOUNTPOINT_CACHE_MEDIUM
  value: {{ ((.Values.mountpointPod).cache).medium | quote }}
- name: MOUNTPOINT_CACHE_SIZE_LIMIT
  value: {{ ((.Values.mountpointPod).cache).sizeLimit | quote }}
- name: TLS_CA_CERT_CONFIGMAP
  value: {{ (include "s3-csi.caConfigMap" .) | quote }}
- name: STALE_CLEANUP_INTERVAL
  value: {{ ((.Values.controller).staleCleanup).interval | quote }}
- name: STALE_THRESHOLD
  value: {{ ((.Values.controller).staleCleanup).threshold | quote }}
- name: RECONCILER_WORKERS
  value: {{ (.Values.controller).workers | quote }}
- name: LEADER_ELECTION
  value: {{ ((.Values.controller).leaderElection).enabled | quote }}
- name: LEASE_DURATION
  value: {{ ((.Values.controller).leaderElection).leaseDuration | quote }}
{{- end }}

{{- define "s3-csi.settings.node" -}}
- name: LOG_LEVEL
  value: {{ (include "s3-csi.logLevel" .Values.node.logLevel) | quote }}
- name: AWS_ENDPOINT_URL
  value: {{ (include "s3-csi.endpointUrl" .) | quote }}
- name: AWS_REGION
  value: {{ (include "s3-csi.region" .) | quote }}
- name: S3_CREDENTIALS_ACCESS_KEY_ID_FILE
  value: {{ (.Values.s3CredentialSecret).accessKeyId | quote }}
- name: S3_CREDENTIALS_SECRET_ACCESS_KEY_FILE
  value: {{ (.Values.s3CredentialSecret).secretAccessKey | quote }}
- name: S3_CREDENTIALS_SESSION_TOKEN_FILE
  value: {{ (.Values.s3CredentialSecret).sessionToken | quote }}
- name: KUBELET_PATH
  value: {{ (.Values.node).kubeletPath | quote }}
- name: MAX_VOLUMES_PER_NODE
  value: {{ (.Values.node).maxVolumes | quote }}
- name: BUILTIN_REGISTRATION
  value: {{ (.Values.node).builtinRegistration | quote }}
- name: HEALTH_PORT
  value: {{ (.Values.node).healthPort | quote }}
- name: METRICS_PORT
  value: {{ (.Values.node).metricsPort | quote }}
- name: UNMOUNT_SCAN_INTERVAL
  value: {{ (.Values.node).unmountScanInterval | quote }}
- name: REMOVE_STARTUP_TAINT
  value: {{ (.Values.node).removeStartupTaint | quote }}
- name: MOUNTPOINT_NAMESPACE
  value: {{ (.Values.mountpointPod).namespace | quote }}
- name: MOUNTPOINT_VERSION
  value: {{ (.Values.node).mountpointVersion | quote }}
{{- end }}
