import { Server, ServerCredentials } from '@grpc/grpc-js';
import { LanguageRuntimeService } from '@pulumi/pulumi/proto/language_grpc_pb';
import { Children } from './children';
import { languageRuntime } from './service';

// Pulumi's own Node language host is a Go program that no module proxy serves for this engine. This one is
// started by the engine, which passes its address as the last argument, reads our port from the first line of
// stdout, and holds our stdin open for as long as it lives.
function main(): void {
  const children = new Children();
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
  server.addService(
    LanguageRuntimeService,
    languageRuntime({ engineAddress: process.argv.at(-1) ?? '', children }),
  );

  const stop = () => {
    children.stopAll();
    server.forceShutdown();
    process.exit(0);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  process.stdin.once('end', stop).once('error', stop).resume();

  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) throw error;
    process.stdout.write(`${port}\n`);
  });
}

main();
