/** The variable that has a secret with delivery `environment`: `orders-db` is in `ORDERS_DB`. */
export function secretVariable(secret: string): string {
  return secret.toUpperCase().replaceAll('-', '_');
}
