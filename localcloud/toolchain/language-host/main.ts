import { Server, ServerCredentials } from '@grpc/grpc-js';
import { LanguageRuntimeService } from '@pulumi/pulumi/proto/language_grpc_pb';
import { Children } from './children';
import { languageRuntime } from './service';

// Pulumi's own Node language host is a Go program that is not available as a module for this engine. The engine
// starts this one, passes its address as the last argument, reads the port from the first line of stdout, and
// keeps stdin open as long as it runs.
function main(): void {
  const children = new Children();
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
  server.addService(
    LanguageRuntimeService,
    languageRuntime({ engineAddress: process.argv.at(-1) ?? '', children }),
  );

  const stop = () => {
    server.forceShutdown();
    void children.stopAll().then(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
  process.stdin.once('end', stop).once('error', stop).resume();

  server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) => {
    if (error !== null) throw error;
    process.stdout.write(`${port}\n`);
  });
}

main();
