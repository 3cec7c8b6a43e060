/** A request to publish a volume; the fields are those of csi.v1. */
export interface PublishRequest {
  volumeId: string;
  targetPath: string;
  readOnly: boolean;
  /** Data of `nodePublishSecretRef`, and service account tokens if the CSIDriver wants them here. */
  secrets: Record<string, string>;
  /** The volume's attributes and, if the CSIDriver wants them, attributes of the pod. */
  volumeContext: Record<string, string>;
}

// Wire format of protocol buffers: https://protobuf.dev/programming-guides/encoding/. The two messages need only
// strings, one boolean and nested messages. Field numbers: csi.proto of the CSI specification 1.12.

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

function delimited(field: number, content: string | Buffer): Buffer {
  const bytes = Buffer.from(content);
  return Buffer.concat([varint(field * 8 + 2), varint(bytes.length), bytes]);
}

function flag(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(value)]);
}

function map(field: number, entries: Record<string, string>): Buffer[] {
  return Object.entries(entries).map(([key, value]) =>
    delimited(field, Buffer.concat([delimited(1, key), delimited(2, value)])),
  );
}

/** `SINGLE_NODE_WRITER`, which a kubelet sends for volumes of one pod. */
const singleNodeWriter = 1;

export function encodePublish(request: PublishRequest): Buffer {
  const capability = Buffer.concat([delimited(2, ''), delimited(3, flag(1, singleNodeWriter))]);
  return Buffer.concat([
    delimited(1, request.volumeId),
    delimited(4, request.targetPath),
    delimited(5, capability),
    ...(request.readOnly ? [flag(6, 1)] : []),
    ...map(7, request.secrets),
    ...map(8, request.volumeContext),
  ]);
}

export function encodeUnpublish(volumeId: string, targetPath: string): Buffer {
  return Buffer.concat([delimited(1, volumeId), delimited(2, targetPath)]);
}
