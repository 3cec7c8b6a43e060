import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const files: Record<string, string> = {
  'Chart.yaml': 'apiVersion: v2\nname: greeter\nversion: 1.2.3\nappVersion: "7"\n',
  'values.yaml': 'greeting: hello\nreplicas: 1\nnode: ""\npassword: ""\n',
  'templates/config.yaml': `apiVersion: v1
kind: ConfigMap
metadata:
  name: {{ .Release.Name }}
data:
  greeting: {{ .Values.greeting | quote }}
`,
  'templates/secret.yaml': `apiVersion: v1
kind: Secret
metadata:
  name: {{ .Release.Name }}
stringData:
  password: {{ .Values.password | quote }}
  {{- if eq .Values.greeting "broken" }}{{ fail (printf "cannot greet with %s" .Values.password) }}{{ end }}
`,
  'templates/deployment.yaml': `apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}
spec:
  replicas: {{ .Values.replicas }}
  selector:
    matchLabels: { app: {{ .Release.Name }} }
  template:
    metadata:
      labels: { app: {{ .Release.Name }} }
    spec:
      {{- with .Values.node }}
      nodeSelector: { kubernetes.io/hostname: {{ . }} }
      {{- end }}
      containers: [{ name: main, image: "example.com/greeter:7" }]
`,
};

/** Writes a small chart into `folder`; `changes` replaces some of its files. */
export async function writeChart(folder: string, changes: Record<string, string> = {}): Promise<void> {
  for (const [name, content] of Object.entries({ ...files, ...changes })) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}
