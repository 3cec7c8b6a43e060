// Options of the bench.
import { parseArgs } from 'node:util';

const usage = `usage: node tests/bench/main.mjs [options]

  --clusters N,N,…   clusters of the previews (default 2,10,25; 50 and 100 take many minutes)
  --rounds N         runs of each preview (default 3)
  --only PART        commands, previews or deployed
  --deployed N       clusters of the stack that is deployed (default 2; about 10 are the most)
  --json FILE        file for the measurements (default .state/bench.json)
  --picture FILE     draws the previews as SVG`;

/** Returns the options, or prints the usage and ends. */
export function benchOptions(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        clusters: { type: 'string', default: '2,10,25' },
        rounds: { type: 'string', default: '3' },
        only: { type: 'string' },
        deployed: { type: 'string', default: '2' },
        json: { type: 'string' },
        picture: { type: 'string' },
        help: { type: 'boolean', default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const { only } = values;
    if (only !== undefined && !['commands', 'previews', 'deployed'].includes(only))
      throw new Error(`--only is "${only}". Allowed: commands, previews, deployed.`);
    return {
      ...values,
      clusters: values.clusters.split(',').map((text) => positive('--clusters', text)),
      rounds: positive('--rounds', values.rounds),
      commands: only === undefined || only === 'commands',
      previews: only === undefined || only === 'previews',
      deployed: only === undefined || only === 'deployed' ? positive('--deployed', values.deployed) : 0,
    };
  } catch (error) {
    console.error(`error: ${error.message}\n${usage}`);
    process.exit(2);
  }
}

function positive(option, text) {
  const number = Number(text);
  if (Number.isInteger(number) && number > 0) return number;
  throw new Error(`${option} has "${text}". Allowed: integers from 1.`);
}
