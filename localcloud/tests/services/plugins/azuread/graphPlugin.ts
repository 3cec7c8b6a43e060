import { randomUUID } from 'node:crypto';
import type { Properties } from '../../../../plugins/protocol';
import { types } from '../../../../plugins/azuread/types';
import { withCloud, type TestCloud } from '../../../support/azure';
import { startPlugin, type PluginProcess } from '../../../support/plugins/pluginProcess';

/** A resource as the engine would record it. */
export interface Made {
  id: string;
  state: Properties;
  inputs: Properties;
}

/** The plugin as a process, with a local Azure of the tests in a file. */
export class GraphPlugin {
  private started: PluginProcess | undefined;

  constructor(readonly cloud: TestCloud) {}

  get process(): PluginProcess {
    if (this.started === undefined) throw new Error('The plugin runs in hooks and tests only.');
    return this.started;
  }

  async start(): Promise<void> {
    this.started = await startPlugin(this.cloud, 'azuread');
  }

  /** Checks inputs, which have to be right, and creates a resource. */
  async make(type: string, inputs: Properties): Promise<Made> {
    const checked = await this.process.check(type, inputs);
    expect(checked.failures).toEqual([]);
    return { ...(await this.process.create(type, checked.inputs)), inputs: checked.inputs };
  }

  /** A security group with a name of its own. */
  group(inputs: Properties = {}): Promise<Made> {
    return this.make(types.group, { displayName: `group-${randomUUID()}`, securityEnabled: true, ...inputs });
  }

  /** An application with a name of its own. */
  application(inputs: Properties = {}): Promise<Made> {
    return this.make(types.application, { displayName: `app-${randomUUID()}`, ...inputs });
  }
}

/** The plugin with a cloud of its own; hooks start and stop both. */
export function withGraphPlugin(): GraphPlugin {
  const plugin = new GraphPlugin(withCloud({ groups: [] }));
  beforeAll(() => plugin.start(), 60_000);
  afterEach(() => plugin.cloud.azure.control.faults.clear());
  return plugin;
}
