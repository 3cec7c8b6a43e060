import { parseLogQuery } from '../../../kubernetes/kubelet/logQuery';

const parse = (text: string) => parseLogQuery(new URLSearchParams(text));

describe('the query for a log', () => {
  it.each([
    ['', { follow: false }],
    ['follow=true&tailLines=5&limitBytes=100', { follow: true, tailLines: 5, limitBytes: 100 }],
    ['follow=false&tailLines=0&stream=All', { follow: false, tailLines: 0 }],
    ['timestamps=false&previous=false', { follow: false, previous: false }],
    ['previous=true', { follow: false, previous: true }],
  ])('"%s"', (text, expected) => {
    expect(parse(text)).toEqual(expected);
  });

  it.each([
    ['timestamps=true', /^--timestamps: logs of the local cloud have no timestamps/],
    ['sinceSeconds=60', /^--since: logs of the local cloud have no timestamps/],
    ['sinceTime=2026-01-01T00%3A00%3A00Z', /^--since-time: /],
    ['stream=Stderr', /^stream=Stderr: .*only All is allowed$/],
    ['tailLines=-1', 'tailLines=-1: must be an integer of at least 0'],
    ['limitBytes=0', 'limitBytes=0: must be an integer of at least 1'],
    ['follow=maybe', 'follow=maybe: allowed are true and false'],
    [
      'colour=red',
      /^parameter colour: unknown; supported are follow, previous, tailLines, limitBytes, stream$/,
    ],
  ])('"%s" is refused by name', (text, message) => {
    expect(() => parse(text)).toThrow(message);
  });
});
