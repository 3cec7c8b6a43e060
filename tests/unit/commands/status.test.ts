import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { cloudStatus, renderStatus } from '../../../localcloud/commands/status';
import { locateInstance } from '../../../localcloud/daemon/instance';

describe('the status of a local cloud that does not run', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(path.join(os.tmpdir(), 'status-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('says where its state is kept', async () => {
    const instance = locateInstance(root, {});
    mkdirSync(instance.folder, { recursive: true });
    writeFileSync(instance.credentialsFile, '{}');
    const status = await cloudStatus(instance);
    expect(status).toMatchObject({ running: false, stateExists: true, clusters: [] });
    expect(renderStatus(status)).toContain(`its state is kept in ${instance.folder}`);
  });

  it.each([
    ['without a folder', false],
    // As `down` leaves it after `clean`.
    ['with an empty folder', true],
  ])('says that there is no state, and how to make one, %s', async (_what, folder) => {
    const instance = locateInstance(root, {});
    if (folder) mkdirSync(instance.folder, { recursive: true });
    const text = renderStatus(await cloudStatus(instance));
    expect(text).toContain('it has no state yet');
    expect(text).toContain('`make up`');
    expect(text).not.toContain('kept');
  });
});
