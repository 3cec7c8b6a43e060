import { BinaryReader } from 'google-protobuf';
import { encodePublish, encodeUnpublish } from '../../../kubernetes/agent/csi/messages';

type Fields = Record<string, unknown>;

/** Decodes a message with the official library: strings, flags, maps and nested messages. */
function fieldsOf(message: Buffer, maps: number[] = [], nested: number[] = []): Fields {
  const reader = new BinaryReader(message);
  const fields: Fields = {};
  while (reader.nextField()) {
    const number = reader.getFieldNumber();
    const wireType: number = reader.getWireType();
    if (wireType === 0) fields[number] = reader.readUint32();
    else if (maps.includes(number)) {
      const entry = entryOf(Buffer.from(reader.readBytes()));
      fields[number] = { ...(fields[number] as Fields | undefined), [entry.key]: entry.value };
    } else if (nested.includes(number))
      fields[number] = fieldsOf(Buffer.from(reader.readBytes()), [], [2, 3]);
    else fields[number] = reader.readString();
  }
  return fields;
}

function entryOf(message: Buffer): { key: string; value: string } {
  const fields = fieldsOf(message) as Record<string, string>;
  return { key: fields['1'] ?? '', value: fields['2'] ?? '' };
}

describe('messages to a CSI driver', () => {
  it('have a kubelet’s contents, by the field numbers of csi.proto', () => {
    const long = 'x'.repeat(300);
    const message = encodePublish({
      volumeId: 'csi-1',
      targetPath: '/pods/u/volumes/kubernetes.io~csi/v/mount',
      readOnly: true,
      secrets: { token: long },
      volumeContext: { a: '1', 'b.c/d': 'ä' },
    });

    expect(fieldsOf(message, [7, 8], [5])).toEqual({
      1: 'csi-1',
      4: '/pods/u/volumes/kubernetes.io~csi/v/mount',
      5: { 2: {}, 3: { 1: 1 } },
      6: 1,
      7: { token: long },
      8: { a: '1', 'b.c/d': 'ä' },
    });
  });

  it('omit a flag that is not set, and name volume and path again to unpublish', () => {
    const request = { volumeId: 'v', targetPath: '/t', readOnly: false, secrets: {}, volumeContext: {} };

    expect(fieldsOf(encodePublish(request), [7, 8], [5])).not.toHaveProperty('6');
    expect(fieldsOf(encodeUnpublish('v', '/t'))).toEqual({ 1: 'v', 2: '/t' });
  });
});
