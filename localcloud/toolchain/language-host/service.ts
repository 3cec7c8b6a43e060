import { status } from '@grpc/grpc-js';
import type {
  ServerUnaryCall,
  ServerWritableStream,
  UntypedServiceImplementation,
  sendUnaryData,
} from '@grpc/grpc-js';
import {
  AboutResponse,
  DependencyInfo,
  GetProgramDependenciesResponse,
  GetRequiredPackagesResponse,
  GetRequiredPluginsResponse,
  LanguageHandshakeResponse,
  RuntimeOptionsResponse,
} from '@pulumi/pulumi/proto/language_pb';
import type {
  GetProgramDependenciesRequest,
  GetRequiredPackagesRequest,
  GetRequiredPluginsRequest,
  InstallDependenciesRequest,
  InstallDependenciesResponse,
  RunPluginRequest,
  RunPluginResponse,
  RunRequest,
  RunResponse,
} from '@pulumi/pulumi/proto/language_pb';
import { PackageDependency, PluginDependency, PluginInfo } from '@pulumi/pulumi/proto/plugin_pb';
import { version as sdkVersion } from '@pulumi/pulumi/package.json';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import type { HostContext } from './hostContext';
import { installDependencies } from './installDependencies';
import { directDependencies, installedDependencies, requiredPlugins } from './packages';
import { runPlugin } from './runPlugin';
import { runProgram } from './runProgram';
import { reason } from '../../logger';

/**
 * `pulumirpc.LanguageRuntime` for Node programs, without code generation (`pulumi new`, `convert`, `package
 * add`): gRPC answers UNIMPLEMENTED, and the engine reports that.
 */
export function languageRuntime(context: HostContext): UntypedServiceImplementation {
  return {
    handshake: unary(() => new LanguageHandshakeResponse()),
    getPluginInfo: unary(() => new PluginInfo().setVersion(sdkVersion)),
    getRequiredPackages: unary(async (request: GetRequiredPackagesRequest) => {
      const plugins = await requiredPlugins(request.getInfo()?.getProgramDirectory() ?? '');
      return new GetRequiredPackagesResponse().setPackagesList(
        plugins.map((plugin) =>
          new PackageDependency()
            .setName(plugin.name)
            .setKind('resource')
            .setVersion(plugin.version)
            .setServer(plugin.server),
        ),
      );
    }),
    getRequiredPlugins: unary(async (request: GetRequiredPluginsRequest) => {
      const plugins = await requiredPlugins(request.getInfo()?.getProgramDirectory() ?? request.getPwd());
      return new GetRequiredPluginsResponse().setPluginsList(
        plugins.map((plugin) =>
          new PluginDependency()
            .setName(plugin.name)
            .setKind('resource')
            .setVersion(plugin.version)
            .setServer(plugin.server),
        ),
      );
    }),
    run: (call: ServerUnaryCall<RunRequest, RunResponse>, reply: sendUnaryData<RunResponse>) => {
      answer(runProgram(call.request, context, onCancel(call)), reply);
    },
    about: unary(() => new AboutResponse().setExecutable(process.execPath).setVersion(process.version)),
    runtimeOptionsPrompts: unary(() => new RuntimeOptionsResponse()),
    template: unary(() => new Empty()),
    getProgramDependencies: unary(async (request: GetProgramDependenciesRequest) => {
      const folder = request.getInfo()?.getProgramDirectory() ?? request.getPwd();
      const isTransitive = request.getTransitivedependencies();
      const packages = isTransitive ? await installedDependencies(folder) : await directDependencies(folder);
      return new GetProgramDependenciesResponse().setDependenciesList(
        packages.map(({ name, version }) => new DependencyInfo().setName(name).setVersion(version)),
      );
    }),
    installDependencies: (
      call: ServerWritableStream<InstallDependenciesRequest, InstallDependenciesResponse>,
    ) => {
      end(installDependencies(call, onCancel(call)), call);
    },
    runPlugin: (call: ServerWritableStream<RunPluginRequest, RunPluginResponse>) => {
      end(runPlugin(call, context, onCancel(call)), call);
    },
    cancel: unary(() => {
      void context.children.stopAll();
      return new Empty();
    }),
  };
}

function unary<Request, Response>(handle: (request: Request) => Response | Promise<Response>) {
  return (call: ServerUnaryCall<Request, Response>, reply: sendUnaryData<Response>) => {
    answer((async () => handle(call.request))(), reply);
  };
}

function answer<Response>(work: Promise<Response>, reply: sendUnaryData<Response>): void {
  work.then(
    (response) => {
      reply(null, response);
    },
    (error: unknown) => {
      reply({ code: status.UNKNOWN, details: reason(error) });
    },
  );
}

function end(work: Promise<void>, call: { end(): void; emit(event: 'error', error: Error): unknown }): void {
  work.then(
    () => {
      call.end();
    },
    (error: unknown) => {
      // The server ends the call on this event. With `destroy`, the client would wait forever.
      call.emit(
        'error',
        Object.assign(error instanceof Error ? error : new Error(String(error)), { code: status.UNKNOWN }),
      );
    },
  );
}

function onCancel(call: { on(event: 'cancelled', listener: () => void): unknown }): AbortSignal {
  const controller = new AbortController();
  call.on('cancelled', () => {
    controller.abort();
  });
  return controller.signal;
}
