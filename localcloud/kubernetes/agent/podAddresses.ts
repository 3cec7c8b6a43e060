import { createHash } from 'node:crypto';

/** Number of addresses in 10.244.128.0/17, the upper half of AKS' overlay range. kwok uses the lower half. */
const size = 2 ** 15;

/**
 * Addresses of pods that run as processes. Only the egress proxy routes to them. They are not loopback addresses,
 * because endpoint slices refuse those.
 */
export class PodAddresses {
  private readonly owners = new Map<string, string>();

  /** Reserves an address. @param before the pod's address from an earlier run, which it keeps if it is free */
  take(uid: string, before?: string): string {
    if (before !== undefined && (this.owners.get(before) ?? uid) === uid) {
      this.owners.set(before, uid);
      return before;
    }
    const start = createHash('sha256').update(uid).digest().readUInt16BE(0) % size;
    for (let step = 0; step < size; step += 1) {
      const index = (start + step) % size;
      const address = `10.244.${128 + (index >> 8)}.${index & 255}`;
      const lastOctet = index & 255;
      if (lastOctet === 0 || lastOctet === 255 || this.owners.has(address)) continue;
      this.owners.set(address, uid);
      return address;
    }
    throw new Error('no free pod address in 10.244.128.0/17');
  }

  release(address: string): void {
    this.owners.delete(address);
  }
}
