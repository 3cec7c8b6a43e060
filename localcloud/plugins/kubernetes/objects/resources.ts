import type { Context, OperationOptions, Properties } from '../../protocol';
import { PartialFailure, containsUnknown, reveal } from '../../protocol';
import type { Cluster, Location } from '../client/cluster';
import type { Kind, ResourceKind, ServedKind } from '../client/kinds';
import type { JsonObject } from '../json';
import { fromJsonObject, textAt, toJsonObject } from '../json';
import { resourceHash } from '../naming';
import { NotReady, awaitReady, readinessCheck } from '../readiness';
import { annotation, annotationOf, skipsDeletionAwait } from './annotations';
import { applyPatiently, awaitGone, bodyOf, dependencySeconds, locationOf } from './apply';
import { driftedInputs, importedInputs, isManagedBy } from './drift';
import { alreadyExists, refusal } from './failures';
import { normalize } from './normalize';
import { patchesNothing, relinquish } from './patch';
import { blindPreview, isInconclusive, previewed } from './preview';
import { fieldManagerOf, idOf, inputsOf, liveOf, marked, parseId, stateOf } from './state';

const defaultTimeoutSeconds = 600;

export interface ObjectSettings {
  enablePatchForce: boolean;
  upsertExistingObjects: boolean;
}

/** The data of one creation or update. */
interface Operation {
  action: 'created' | 'updated';
  urn: string;
  kind: ResourceKind;
  inputs: Properties;
  fieldManager: string;
  options: OperationOptions;
  context: Context;
}

/** Creates, reads, updates and deletes single objects of one cluster. */
export class ObjectResources {
  constructor(
    private readonly cluster: Cluster,
    private readonly settings: ObjectSettings,
  ) {}

  async create(
    urn: string,
    kind: ResourceKind,
    inputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ id: string; state: Properties }> {
    const fieldManager = managerOf(urn, inputs);
    if (options.preview) {
      // A patch previews its inputs, as in the official plugin: other field managers are not known before the update.
      if (kind.patch) return { id: '', state: inputs };
      return { id: '', state: await this.previewCreate(kind, inputs, fieldManager) };
    }
    return this.perform({ action: 'created', urn, kind, inputs, fieldManager, options, context });
  }

  async update(
    urn: string,
    kind: ResourceKind,
    oldState: Properties,
    inputs: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<{ state: Properties }> {
    const fieldManager = managerOf(urn, inputs, oldState);
    if (options.preview)
      return { state: await this.previewApply('updated', kind, inputs, fieldManager, oldState) };
    return this.perform({ action: 'updated', urn, kind, inputs, fieldManager, options, context });
  }

  /** Reads an object. Resolves with undefined if the object or its kind does not exist (any more). */
  async read(
    urn: string,
    kind: Kind,
    id: string,
    oldState: Properties,
    oldInputs: Properties,
    context: Context,
  ): Promise<{ id: string; state: Properties; inputs: Properties } | undefined> {
    const served = await this.cluster.find(kind, context.signal);
    if (served === undefined) return undefined;
    const live = await this.cluster.get(this.locationOfId(served, id), context.signal);
    if (live === undefined) return undefined;
    const known = normalize(kind, inputsOf(oldState) ?? oldInputs);
    const current =
      Object.keys(known).length === 0
        ? importedInputs(live)
        : driftedInputs(toJsonObject(known), liveOf(oldState), live);
    const inputs = marked(fromJsonObject(current), known);
    return { id, state: stateOf(live, inputs, managerOf(urn, inputs, oldState)), inputs };
  }

  async delete(
    urn: string,
    kind: ResourceKind,
    id: string,
    state: Properties,
    options: OperationOptions,
    context: Context,
  ): Promise<void> {
    // Without its definition, the object does not exist either.
    const served = await this.cluster.find(kind, context.signal);
    if (served === undefined) return;
    const location = this.locationOfId(served, id);
    const live = await this.cluster.get(location, context.signal);
    if (live === undefined) return;
    const inputs = inputsOf(state) ?? {};
    if (kind.patch) {
      await relinquish(this.cluster, location, live, managerOf(urn, inputs, state), context.signal);
      return;
    }
    const policy = annotationOf(inputs, annotation.deletionPropagation)?.toLowerCase();
    const propagation =
      policy === 'orphan' ? 'Orphan' : policy === 'background' ? 'Background' : 'Foreground';
    try {
      await this.cluster.delete(location, propagation, context.signal);
      if (skipsDeletionAwait(kind, inputs)) return;
      const uid = textAt(live, 'metadata', 'uid');
      await awaitGone(this.cluster, location, uid, timeoutOf(inputs, options), context, urn);
    } catch (error) {
      if (error instanceof Error && error.name === 'Error') {
        throw new Error(`${kind.kind} '${id}' could not be deleted: ${error.message}`, { cause: error });
      }
      throw refusal('deleted', kind, id, error);
    }
  }

  private locationOfId(served: ServedKind, id: string): Location {
    const { namespace, name } = parseId(id);
    return { kind: served, namespace: served.namespaced ? (namespace ?? 'default') : undefined, name };
  }

  private async previewCreate(kind: Kind, inputs: Properties, fieldManager: string): Promise<Properties> {
    if (containsUnknown(reveal(inputs))) return blindPreview(inputs, {});
    try {
      const served = await this.cluster.find(kind);
      // The same update may replace the existing object, and a dry run would compare with it.
      if (served === undefined || (await this.cluster.get(locationOf(served, inputs, kind))) !== undefined) {
        return blindPreview(inputs, {});
      }
    } catch (error) {
      if (isInconclusive(error)) return blindPreview(inputs, {});
      throw error;
    }
    return this.previewApply('created', kind, inputs, fieldManager, {});
  }

  private async previewApply(
    action: string,
    kind: Kind,
    inputs: Properties,
    fieldManager: string,
    oldState: Properties,
  ): Promise<Properties> {
    if (containsUnknown(reveal(inputs))) return blindPreview(inputs, oldState);
    try {
      const served = await this.cluster.find(kind);
      if (served === undefined) return blindPreview(inputs, oldState);
      const location = locationOf(served, inputs, kind);
      const options = { fieldManager, force: this.forces(inputs), dryRun: true };
      return previewed(
        await this.cluster.apply(location, bodyOf(inputs, location), options),
        inputs,
        oldState,
      );
    } catch (error) {
      if (isInconclusive(error)) return blindPreview(inputs, oldState);
      throw refusal(action, kind, idOf(toJsonObject(inputs)), error);
    }
  }

  /**
   * Throws if the object already exists, unless it is being deleted, or its field manager shows that this resource
   * created it in an interrupted update.
   */
  private async makeRoom(location: Location, operation: Operation): Promise<void> {
    const { urn, kind, inputs, fieldManager, context } = operation;
    const existing = await this.cluster.get(location, context.signal);
    if (kind.patch) {
      if (existing === undefined) await context.log('warning', patchesNothing(kind, location), urn);
      return;
    }
    if (existing === undefined) return;
    if (textAt(existing, 'metadata', 'deletionTimestamp') !== undefined) {
      const uid = textAt(existing, 'metadata', 'uid');
      await awaitGone(this.cluster, location, uid, defaultTimeoutSeconds, context, urn);
      return;
    }
    if (this.settings.upsertExistingObjects) return;
    if (isManagedBy(existing, fieldManager, toJsonObject(inputs))) return;
    throw alreadyExists(kind, idOf(existing));
  }

  private async perform(operation: Operation): Promise<{ id: string; state: Properties }> {
    const { action, kind, inputs, fieldManager, options, context } = operation;
    const served = await this.cluster.expect(kind, patience(options), context.signal);
    const location = locationOf(served, inputs, kind);
    if (action === 'created') await this.makeRoom(location, operation);
    const body = bodyOf(inputs, location);
    let live: JsonObject;
    try {
      const applying = { fieldManager, force: this.forces(inputs), dryRun: false, signal: context.signal };
      live = await applyPatiently(this.cluster, location, body, applying);
    } catch (error) {
      throw refusal(action, kind, idOf(body), error);
    }
    const ready = await this.ready(operation, location, live);
    return { id: idOf(ready), state: stateOf(ready, inputs, fieldManager) };
  }

  private async ready(operation: Operation, location: Location, live: JsonObject): Promise<JsonObject> {
    const { action, urn, kind, inputs, fieldManager, options, context } = operation;
    if (annotationOf(inputs, annotation.skipAwait) === 'true') return live;
    const onProgress = (progress: string): void => void context.log('info', progress, urn, true);
    const timeoutSeconds = timeoutOf(inputs, options);
    try {
      const check = readinessCheck(kind, annotationOf(inputs, annotation.waitFor));
      if (check === undefined) return live;
      const { cluster } = this;
      const { signal } = context;
      return await awaitReady({ cluster, location, object: live, check, timeoutSeconds, signal, onProgress });
    } catch (error) {
      // The object exists. Without its state, the engine would try to create it again.
      const object = error instanceof NotReady ? error.object : live;
      const reasons = error instanceof NotReady ? error.reasons : [String(error)];
      const id = idOf(object);
      const summary = `${kind.kind} '${id}' was ${action}, but did not become ready: ${reasons.join('\n')}`;
      throw new PartialFailure(id, stateOf(object, inputs, fieldManager), [summary], inputs);
    }
  }

  private forces(inputs: Properties): boolean {
    // As in the official plugin, no annotation overrides the provider's setting: provider/pkg/await/await.go, patchForce.
    return this.settings.enablePatchForce || annotationOf(inputs, annotation.patchForce) === 'true';
  }
}

function timeoutOf(inputs: Properties, options: OperationOptions): number {
  const annotated = Number(annotationOf(inputs, annotation.timeoutSeconds));
  return options.timeoutSeconds || (Number.isFinite(annotated) && annotated) || defaultTimeoutSeconds;
}

/**
 * Returns the field manager's name. It is the same in every run, so that objects of an interrupted run are recognized.
 */
function managerOf(urn: string, inputs: Properties, state: Properties = {}): string {
  return (
    annotationOf(inputs, annotation.patchFieldManager) ??
    fieldManagerOf(state) ??
    `pulumi-kubernetes-${resourceHash(urn)}`
  );
}

/** Returns the seconds to wait until another resource of the same update has defined the kind. */
function patience(options: OperationOptions): number {
  return Math.min(dependencySeconds, options.timeoutSeconds || dependencySeconds);
}
