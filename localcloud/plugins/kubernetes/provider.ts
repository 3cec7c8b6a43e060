import type {
  CheckFailure,
  CheckOptions,
  Context,
  Diff,
  OperationOptions,
  Properties,
  ProviderImplementation,
} from '../protocol';
import { Unsupported, containsUnknown } from '../protocol';
import { checkSettings } from './config/check';
import { diffSettings } from './config/diff';
import type { Settings } from './config/settings';
import { readSettings } from './config/settings';
import { ClusterAccess } from './access';
import { checkObject } from './objects/check';
import { diffObject } from './objects/diff';
import { blindPreview } from './objects/preview';
import { kindOfToken } from './objects/token';
import { checkRelease } from './releases/check';
import { diffRelease } from './releases/diff';
import { previewedState } from './releases/state';

const releaseToken = 'kubernetes:helm.sh/v3:Release';

/** The kubernetes plugin of the local cloud: objects by server-side apply, releases by helm. */
export class KubernetesProvider implements ProviderImplementation {
  readonly name = 'kubernetes';
  private settings: Settings = readSettings({});
  private access = new ClusterAccess(this.settings);

  constructor(
    /** Version of the npm package and of the plugin. */
    readonly version: string,
  ) {}

  checkConfig(
    _olds: Properties,
    news: Properties,
  ): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
    return Promise.resolve({ inputs: news, failures: checkSettings(news) });
  }

  diffConfig(olds: Properties, news: Properties): Promise<Diff> {
    return Promise.resolve(diffSettings(olds, news));
  }

  configure(config: Properties): Promise<void> {
    this.settings = readSettings(config);
    this.access = new ClusterAccess(this.settings);
    return Promise.resolve();
  }

  async check(
    _urn: string,
    type: string,
    olds: Properties,
    news: Properties,
    options: CheckOptions,
  ): Promise<{ inputs: Properties; failures: CheckFailure[] }> {
    if (
      this.settings.skipUpdateUnreachable &&
      Object.keys(olds).length > 0 &&
      (await this.access.isUnreachable())
    ) {
      return { inputs: olds, failures: [] };
    }
    const { defaultNamespace } = this.access;
    if (type === releaseToken) return checkRelease(olds, news, options, defaultNamespace, this.access.helm);
    const cluster = await this.access.reachable();
    return checkObject(kindOfToken(type), olds, news, options, { defaultNamespace, cluster });
  }

  diff(
    _urn: string,
    type: string,
    _id: string,
    oldState: Properties,
    oldInputs: Properties,
    newInputs: Properties,
    ignoreChanges: string[],
  ): Promise<Diff> {
    if (type === releaseToken) {
      return Promise.resolve(diffRelease(oldState, oldInputs, newInputs, ignoreChanges));
    }
    const mutability = {
      enableSecretMutable: this.settings.enableSecretMutable ?? false,
      enableConfigMapMutable: this.settings.enableConfigMapMutable ?? false,
    };
    const kind = kindOfToken(type);
    return Promise.resolve(diffObject(kind, oldState, oldInputs, newInputs, ignoreChanges, mutability));
  }

  async create(
    urn: string,
    type: string,
    inputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ id: string; state: Properties }> {
    if (options.preview && (containsUnknown(inputs) || (await this.access.isUnreachable()))) {
      return { id: '', state: this.preview(type, inputs, {}) };
    }
    if (type === releaseToken) return (await this.access.releases()).create(urn, inputs, options, context);
    return (await this.access.objects()).create(urn, kindOfToken(type), inputs, options, context);
  }

  async read(
    urn: string,
    type: string,
    id: string,
    state: Properties,
    inputs: Properties,
    context: Context,
  ): Promise<{ id: string; state: Properties; inputs: Properties } | undefined> {
    if (await this.access.isUnreachable()) {
      if (this.settings.deleteUnreachable) {
        await context.log('warning', `${id}: its cluster does not respond, so it counts as deleted`, urn);
        return undefined;
      }
      if (this.settings.skipUpdateUnreachable) {
        await context.log(
          'warning',
          `configured Kubernetes cluster is unreachable: ${id} is left as it is`,
          urn,
        );
        return { id, state, inputs };
      }
    }
    if (type === releaseToken) return (await this.access.releases()).read(id, state, inputs);
    return (await this.access.objects()).read(urn, kindOfToken(type), id, state, inputs, context);
  }

  async update(
    urn: string,
    type: string,
    _id: string,
    oldState: Properties,
    _oldInputs: Properties,
    newInputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ state: Properties }> {
    if (options.preview && (containsUnknown(newInputs) || (await this.access.isUnreachable()))) {
      return { state: this.preview(type, newInputs, oldState) };
    }
    if (type === releaseToken) return (await this.access.releases()).update(urn, newInputs, options, context);
    const objects = await this.access.objects();
    return objects.update(urn, kindOfToken(type), oldState, newInputs, options, context);
  }

  async delete(
    urn: string,
    type: string,
    id: string,
    state: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<void> {
    if (this.settings.deleteUnreachable && (await this.access.isUnreachable())) {
      await context.log('warning', `${id}: its cluster does not respond, so it counts as deleted`, urn);
      return;
    }
    if (type === releaseToken) return (await this.access.releases()).delete(id, state, options, context);
    return (await this.access.objects()).delete(urn, kindOfToken(type), id, state, options, context);
  }

  invoke(token: string): Promise<{ result: Properties; failures: CheckFailure[] }> {
    return Promise.reject(
      new Unsupported(`function ${token} is not part of the local cloud's kubernetes plugin`),
    );
  }

  /** Returns the outputs that a preview can show without a cluster. */
  private preview(type: string, inputs: Properties, oldState: Properties): Properties {
    return type === releaseToken ? previewedState(inputs) : blindPreview(inputs, oldState);
  }
}
