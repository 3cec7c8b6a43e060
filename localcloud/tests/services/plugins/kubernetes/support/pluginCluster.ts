import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Secret } from '../../../../../plugins/protocol';
import { requireTool } from '../../../../support/kubernetes/runtime';
import { SharedCluster } from '../../../../support/kubernetes/sharedCluster';
import { Plugin } from './plugin';

/** The cluster that all suites of the plugin share. Each has its own namespace, folder and plugin processes. */
export class PluginCluster extends SharedCluster {
  private files: { kubeconfig: string; helm: string } | undefined;

  override async start(): Promise<void> {
    await super.start();
    const kubeconfig = await this.test.runtime.kubeconfig(this.spec, 'user');
    this.files = { kubeconfig, helm: await requireTool('helm') };
  }

  get kubeconfig(): string {
    return this.files?.kubeconfig ?? '';
  }

  get helm(): string {
    return this.files?.helm ?? '';
  }

  /** The suite's own folder. */
  folder(suite: string): string {
    const folder = path.join(this.test.stateDir, `suite-${suite}`);
    mkdirSync(folder, { recursive: true });
    return folder;
  }

  /**
   * A configured process of the plugin.
   *
   * @param suite also the default namespace, except for `default`, the plugin's own
   */
  async plugin(suite: string, env: Record<string, string> = {}): Promise<Plugin> {
    const plugin = await Plugin.start(env, this.folder(suite));
    const kubeconfig = new Secret(this.kubeconfig);
    await plugin.configure(suite === 'default' ? { kubeconfig } : { kubeconfig, namespace: suite });
    return plugin;
  }
}
