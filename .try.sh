npx esbuild stacks/dryRun/main.ts --bundle --platform=node --format=cjs --external:@pulumi/* --external:esbuild --outfile=dist/dry-run.cjs --log-level=warning
npx esbuild .cmp.ts --bundle --platform=node --outfile=/tmp/cmp.cjs --log-level=warning && node /tmp/cmp.cjs > /tmp/state-local.json
python3 -c "
import json,sys
print(json.dumps({'project':'/tmp/w/access','environment':'local','file':'Pulumi.local.yaml','text':open('Pulumi.local.yaml').read()}))" | node dist/dry-run.cjs > /tmp/dry-local.json
python3 - <<'P'
import json
a=json.load(open('/tmp/dry-local.json'))['access']; b=json.load(open('/tmp/state-local.json'))
for k in a:
    if a[k]!=b.get(k): 
        print(k,'differs')
        if isinstance(a[k],list):
            A={json.dumps(x,sort_keys=True) for x in a[k]}; B={json.dumps(x,sort_keys=True) for x in b[k]}
            for x in sorted(A-B)[:12]: print('  mocks', x[:400])
            for x in sorted(B-A)[:12]: print('  state', x[:400])
P
