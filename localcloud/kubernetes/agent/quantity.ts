const suffixes: Record<string, number> = {
  '': 1,
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

function parse(quantity: string): number {
  const match = /^([+-]?[0-9.]+(?:[eE][+-]?[0-9]+)?)([a-zA-Z]*)$/.exec(quantity);
  const factor = match ? suffixes[match[2] ?? ''] : undefined;
  if (!match || factor === undefined)
    throw new Error(`"${quantity}" is not a quantity, such as 500m, 2 or 128Mi`);
  return Number(match[1]) * factor;
}

/** Returns a Kubernetes quantity in units of another one, rounded up to an integer. */
export function wholeQuantity(quantity: string, divisor: string): number {
  // In floating point, 0.1 / 0.001 may be slightly more than 100, and must not become 101.
  return Math.ceil(Number((parse(quantity) / parse(divisor)).toPrecision(12)));
}
