/** Returns the variable for a secret with delivery `environment`: `ORDERS_DB` for `orders-db`. */
export function secretVariable(secret: string): string {
  return secret.toUpperCase().replaceAll('-', '_');
}
