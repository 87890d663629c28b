{{/* Labels of every object. Arguments: the root and the role. */}}
{{- define "slipway.labels" -}}
{{ include "slipway.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ .root.Chart.Name }}-{{ .root.Chart.Version }}
{{- end }}

{{- define "slipway.selector" -}}
app.kubernetes.io/name: slipway
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "slipway.image" -}}
{{ .Values.image.repository }}{{ with .Values.image.digest }}@{{ . }}{{ else }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{/* Settings from a Secret. Arguments: the name of the Secret and the names of the settings. */}}
{{- define "slipway.secrets" -}}
{{- range .names }}
- name: {{ . }}
  valueFrom: { secretKeyRef: { name: {{ $.secret }}, key: {{ . }} } }
{{- end }}
{{- end }}

{{/* Describes each deployment as YAML: arguments, secrets, ports and further settings. */}}
{{- define "slipway.roles" -}}
{{- $is := .Values }}
api:
  args: [api, --environment, sandbox]
  secrets: [SLIPWAY_SANDBOX_DATABASE_URL, SLIPWAY_SANDBOX_PEPPER, SLIPWAY_SANDBOX_MASTER_KEY, SLIPWAY_SANDBOX_MANAGEMENT_KEY]
  secret: {{ $is.secretName }}
  monitoring: 4011
  ports: { api: 4000, management: 4001 }
  wanted: {{ toJson $is.api }}
  env: { SLIPWAY_SANDBOX_API_URL: {{ $is.sandboxApiUrl | quote }} }
worker:
  args: [worker, --environment, sandbox]
  secrets: [SLIPWAY_SANDBOX_DATABASE_URL, SLIPWAY_SANDBOX_PEPPER, SLIPWAY_SANDBOX_MASTER_KEY, SLIPWAY_SANDBOX_MANAGEMENT_KEY]
  secret: {{ $is.secretName }}
  monitoring: 4012
  ports: {}
  wanted: {{ toJson $is.worker }}
  env: { SLIPWAY_SANDBOX_API_URL: {{ $is.sandboxApiUrl | quote }} }
console:
  args: [console]
  secrets: [SLIPWAY_CONSOLE_DATABASE_URL, SLIPWAY_CONSOLE_SECRET, SLIPWAY_SANDBOX_MANAGEMENT_KEY]
  secret: {{ $is.secretName }}
  monitoring: 4013
  ports: { console: 3000 }
  wanted: {{ toJson $is.console }}
  env:
    SLIPWAY_SANDBOX_API_URL: {{ $is.sandboxApiUrl | quote }}
    SLIPWAY_SANDBOX_MANAGEMENT_URL: http://{{ .Release.Name }}-management:4001
    {{- if $is.production.enabled }}
    SLIPWAY_PRODUCTION_API_URL: {{ $is.production.apiUrl | quote }}
    SLIPWAY_PRODUCTION_MANAGEMENT_URL: http://{{ .Release.Name }}-production-management:4101
    {{- end }}
{{- if $is.production.enabled }}
production-api:
  args: [api, --environment, production]
  secrets:
    - SLIPWAY_PRODUCTION_DATABASE_URL
    - SLIPWAY_PRODUCTION_PEPPER
    - SLIPWAY_PRODUCTION_MASTER_KEY
    - SLIPWAY_PRODUCTION_MANAGEMENT_KEY
    - SLIPWAY_PRODUCTION_IDENTITY_KEY
    - SLIPWAY_PRODUCTION_INGEST_KEY
  secret: {{ $is.production.secretName }}
  monitoring: 4011
  ports: { api: 4100, management: 4101 }
  wanted: {{ toJson $is.production.api }}
  env:
    SLIPWAY_PRODUCTION_API_URL: {{ $is.production.apiUrl | quote }}
    SLIPWAY_PRODUCTION_UPSTREAM_URL: {{ required "production.upstreamUrl says where your API is." $is.production.upstreamUrl | quote }}
production-worker:
  args: [worker, --environment, production]
  secrets: [SLIPWAY_PRODUCTION_DATABASE_URL, SLIPWAY_PRODUCTION_PEPPER, SLIPWAY_PRODUCTION_MASTER_KEY, SLIPWAY_PRODUCTION_MANAGEMENT_KEY]
  secret: {{ $is.production.secretName }}
  monitoring: 4012
  ports: {}
  wanted: {{ toJson $is.production.worker }}
  env: { SLIPWAY_PRODUCTION_API_URL: {{ $is.production.apiUrl | quote }} }
{{- end }}
{{- end }}

{{/* Settings of every role. */}}
{{- define "slipway.settings" -}}
{{- if hasKey .Values "stopDelaySeconds" }}
{{- fail "stopDelaySeconds is now named shutdownDelaySeconds. Rename it in your values." }}
{{- end -}}
- { name: SLIPWAY_CONSOLE_URL, value: {{ .Values.consoleUrl | quote }} }
- { name: SLIPWAY_SHUTDOWN_DELAY_SECONDS, value: {{ .Values.shutdownDelaySeconds | quote }} }
{{- range $name, $value := .Values.settings }}
- { name: {{ $name }}, value: {{ $value | quote }} }
{{- end }}
{{- with .Values.extraEnv }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "slipway.podSecurity" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "slipway.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}
