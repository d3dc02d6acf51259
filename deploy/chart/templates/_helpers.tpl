{{- define "fixgate.image" -}}
{{- with .Values.image -}}
{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}
{{- end -}}
{{- end -}}

{{/* Labels of a part: list $ "web" */}}
{{- define "fixgate.selector" -}}
{{- $root := index . 0 -}}
app.kubernetes.io/name: fixgate
app.kubernetes.io/instance: {{ $root.Release.Name }}
app.kubernetes.io/component: {{ index . 1 }}
{{- end -}}

{{- define "fixgate.labels" -}}
{{- $root := index . 0 -}}
{{ include "fixgate.selector" . }}
app.kubernetes.io/version: {{ $root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ $root.Release.Service }}
helm.sh/chart: {{ $root.Chart.Name }}-{{ $root.Chart.Version }}
{{- end -}}

{{- define "fixgate.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "fixgate.podSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: 10001
  runAsGroup: 10001
  fsGroup: 10001
  seccompProfile: {type: RuntimeDefault}
{{- end -}}

{{- define "fixgate.containerSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: {drop: [ALL]}
{{- end -}}

{{/* Where things are. The two addresses may hold passwords: so they come from a Secret. */}}
{{- define "fixgate.store" -}}
- name: FIXGATE_DATABASE_URL
  valueFrom: {secretKeyRef: {{ toJson .Values.secrets.databaseUrl }}}
- name: FIXGATE_REDIS_URL
  valueFrom: {secretKeyRef: {{ toJson .Values.secrets.redisUrl }}}
{{- end -}}

{{- define "fixgate.github" -}}
- {name: FIXGATE_API_URL, value: {{ .Values.github.apiUrl | quote }}}
- {name: FIXGATE_PUBLIC_URL, value: {{ .Values.publicUrl | quote }}}
{{- end -}}

{{- define "fixgate.telemetry" -}}
{{- with .Values.telemetry }}
{{- if .endpoint }}
- {name: OTEL_EXPORTER_OTLP_ENDPOINT, value: {{ .endpoint | quote }}}
{{- with .resourceAttributes }}
- {name: OTEL_RESOURCE_ATTRIBUTES, value: {{ . | quote }}}
{{- end }}
{{- if .headers.name }}
- name: OTEL_EXPORTER_OTLP_HEADERS
  valueFrom: {secretKeyRef: {{ toJson .headers }}}
{{- end }}
{{- end }}
{{- end }}
{{- end -}}

{{- define "fixgate.minterClient" -}}
- {name: FIXGATE_MINTER, value: "http://{{ .Release.Name }}-minter:8001"}
- {name: FIXGATE_MINTER_SECRET_FILE, value: /run/secrets/minter/{{ .Values.secrets.minterSecret.key }}}
{{- end -}}

{{/* A volume of one key of a Secret: list "minter" $.Values.secrets.minterSecret */}}
{{- define "fixgate.secretVolume" -}}
{{- $secret := index . 1 -}}
- name: {{ index . 0 }}
  secret:
    secretName: {{ $secret.name }}
    defaultMode: 0440
    items: [{key: {{ $secret.key }}, path: {{ $secret.key }}}]
{{- end -}}

{{- define "fixgate.secretMount" -}}
- {name: {{ . }}, mountPath: /run/secrets/{{ . }}, readOnly: true}
{{- end -}}

{{- define "fixgate.scratch" -}}
- {name: tmp, emptyDir: {sizeLimit: 256Mi}}
- {name: state, emptyDir: {sizeLimit: 64Mi}}
{{- end -}}

{{- define "fixgate.scratchMounts" -}}
- {name: tmp, mountPath: /tmp}
- {name: state, mountPath: /var/lib/fixgate}
{{- end -}}

{{/* Probes of what serves /healthz; /readyz?exclude=redis&exclude=workers says whether webhooks can be taken. list port ready-path */}}
{{- define "fixgate.httpProbes" -}}
{{- $port := index . 0 -}}
startupProbe:
  httpGet: {path: /healthz, port: {{ $port }}}
  periodSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: {path: /healthz, port: {{ $port }}}
  periodSeconds: 20
  timeoutSeconds: 5
readinessProbe:
  httpGet: {path: {{ index . 1 | quote }}, port: {{ $port }}}
  periodSeconds: 10
  timeoutSeconds: 5
{{- end -}}

{{- define "fixgate.resolver" -}}
- ports: [{port: 53, protocol: UDP}, {port: 53, protocol: TCP}]
{{- end -}}

{{- define "fixgate.storePorts" -}}
- ports:
    {{- range .Values.networkPolicy.storePorts }}
    - {port: {{ . }}, protocol: TCP}
    {{- end }}
{{- end -}}

{{- define "fixgate.toMinter" -}}
- to:
    - podSelector:
        matchLabels: {{- include "fixgate.selector" (list $ "minter") | nindent 10 }}
  ports: [{port: 8001, protocol: TCP}]
{{- end -}}

{{- define "fixgate.outside" -}}
- ports: [{port: 443, protocol: TCP}]
{{- end -}}

{{- define "fixgate.toCollector" -}}
{{- with .Values.telemetry.endpoint }}
{{- $address := urlParse . }}
{{- $given := regexFind "[0-9]+$" $address.host }}
- ports: [{port: {{ $given | default (eq $address.scheme "https" | ternary 443 80) }}, protocol: TCP}]
{{- end }}
{{- end -}}
