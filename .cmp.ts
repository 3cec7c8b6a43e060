import { accessOf } from './stacks/access/reach';
import { readFileSync } from 'node:fs';
const s = JSON.parse(readFileSync('/tmp/local-state.json','utf8')).deployment.resources;
const stack = { resources: s.map((r: any) => ({ urn: r.urn, id: r.id, inputs: r.inputs ?? {}, outputs: r.outputs ?? {}, provider: r.provider })), outputs: s.find((r: any) => r.type === 'pulumi:pulumi:Stack').outputs };
process.stdout.write(JSON.stringify(accessOf(stack, 'local')));
