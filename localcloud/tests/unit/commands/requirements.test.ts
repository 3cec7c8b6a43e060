import { checkSpace, checkWatchers } from '../../../commands/requirements';
import { tooFewWatchers } from '../../../kubernetes/watchers';
import { variable } from '../../../project';

describe('the disk of the state', () => {
  const places = { stateRoot: '/no/such/folder', projectRoot: __dirname };

  it('is enough with what an environment needs', () => {
    expect(() => checkSpace(places, () => 1000)).not.toThrow();
  });

  it('is refused when it is nearly full, with its folder and what to do', () => {
    expect(() => checkSpace(places, () => 999)).toThrow(
      expect.objectContaining({
        message: `The disk of ${__dirname} has 999 MB left; the local cloud needs 1000.`,
        hint: expect.stringContaining(variable('STATE')) as string,
      }) as Error,
    );
  });

  it('is measured in megabytes', () => {
    expect(() => checkSpace({ ...places, stateRoot: '/proc' })).toThrow('The disk of /proc has 0 MB left');
    expect(() => checkSpace(places)).not.toThrow();
  });
});

describe('the watchers of files', () => {
  it('are enough for two clusters', () => {
    expect(() => checkWatchers({ most: 128, used: 110 })).not.toThrow();
  });

  it('are refused where others have them, with the command that allows more', () => {
    expect(() => checkWatchers({ most: 128, used: 111 })).toThrow(
      expect.objectContaining({
        message: expect.stringContaining('111 of 128 inotify instances') as string,
        hint: expect.stringContaining('`sudo sysctl fs.inotify.max_user_instances=1024`') as string,
      }) as Error,
    );
  });

  it('are counted for each cluster that starts', () => {
    expect(tooFewWatchers(1, { most: 128, used: 119 })).toBeUndefined();
    expect(tooFewWatchers(1, { most: 128, used: 120 })?.problem).toContain('one more cluster needs 9.');
  });
});
