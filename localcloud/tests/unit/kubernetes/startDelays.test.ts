import type { ImageTable } from '../../../kubernetes/imageTable';
import { parseStartDelays, startLate } from '../../../kubernetes/startDelays';
import { variable } from '../../../project';

const images: ImageTable = {
  'quay.io/jetstack/cert-manager-webhook': { command: ['webhook'] },
  'mcr.microsoft.com/k8s/azureserviceoperator': { command: () => Promise.resolve(['operator']) },
};

async function commandOf(table: ImageTable, repository: string): Promise<readonly string[]> {
  const command = table[repository]?.command ?? [];
  return typeof command === 'function' ? command(new AbortController().signal) : command;
}

describe('programs that start late', () => {
  it('are the named ones, each by up to its seconds, and otherwise unchanged', async () => {
    const waits: number[] = [];
    const late = startLate(images, parseStartDelays('azureserviceoperator=30', images), (milliseconds) => {
      waits.push(milliseconds);
      return Promise.resolve();
    });

    expect(await commandOf(late, 'quay.io/jetstack/cert-manager-webhook')).toEqual(['webhook']);
    expect(waits).toEqual([]);
    expect(await commandOf(late, 'mcr.microsoft.com/k8s/azureserviceoperator')).toEqual(['operator']);
    expect(await commandOf(late, 'mcr.microsoft.com/k8s/azureserviceoperator')).toEqual(['operator']);
    expect(waits).toHaveLength(2);
    expect(waits.every((milliseconds) => milliseconds >= 0 && milliseconds <= 30_000)).toBe(true);
    expect(waits[0]).not.toBe(waits[1]);
  });

  it('are none unless the variable says so', () => {
    expect(parseStartDelays(undefined, images).size).toBe(0);
    expect(parseStartDelays('', images).size).toBe(0);
  });

  it('are refused all at once, with what is allowed', () => {
    expect(() =>
      parseStartDelays('etcd=3, cert-manager-webhook=soon,azureserviceoperator=601', images),
    ).toThrow(
      `${variable('START_DELAYS')}: "etcd"; allowed: azureserviceoperator, cert-manager-webhook; ` +
        '"cert-manager-webhook=soon"; allowed: <image>=<seconds>, at most 600; ' +
        '"azureserviceoperator=601"; allowed: <image>=<seconds>, at most 600',
    );
  });
});
