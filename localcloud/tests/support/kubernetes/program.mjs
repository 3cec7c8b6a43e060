// The program of the test image: `serve` answers requests about its own process over HTTP, `exit CODE` exits.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [mode, argument] = process.argv.slice(2);
console.log(`started as ${mode}`);

if (mode === 'exit') process.exit(Number(argument));
else if (mode === 'fail-once') {
  // Fails the first time and succeeds afterwards, by a file in the given folder.
  const { existsSync, writeFileSync } = await import('node:fs');
  const mark = `${argument}/mark`;
  if (!existsSync(mark)) {
    writeFileSync(mark, '');
    process.exit(3);
  }
} else {
  let ready = true;
  let live = true;
  const answers = {
    '/about': () => ({ pid: process.pid, env: process.env, args: process.argv.slice(2), cwd: process.cwd() }),
    '/file': (url) => readFileSync(url.searchParams.get('path'), 'utf8'),
    '/say': (url) => console.log(url.searchParams.get('text')) ?? null,
    '/set-unready': () => (ready = false),
    '/set-dead': () => (live = false),
    '/crash': () => setTimeout(() => process.exit(7), 10) && 'bye',
  };
  createServer((request, response) => {
    const url = new URL(request.url, 'http://host');
    if (url.pathname === '/readyz') return void response.writeHead(ready ? 200 : 503).end();
    if (url.pathname === '/healthz') return void response.writeHead(live ? 200 : 500).end();
    const answer = answers[url.pathname];
    if (!answer) return void response.writeHead(404).end();
    try {
      response.end(JSON.stringify(answer(url)));
    } catch (error) {
      response.writeHead(500).end(String(error));
    }
  }).listen(Number(process.env.PORT), '127.0.0.1');
}
