/** A request of the Kubernetes client (`RequestContext`). */
interface Cancellable {
  setSignal: (signal: AbortSignal) => void;
}

/**
 * Returns middleware for the Kubernetes client that ends a request after a time. It does not import the client, which loads
 * slowly.
 */
export const timeoutAfter = (milliseconds: number) => ({
  pre: <Request extends Cancellable>(request: Request): Promise<Request> => {
    request.setSignal(AbortSignal.timeout(milliseconds));
    return Promise.resolve(request);
  },
  post: <Response>(response: Response): Promise<Response> => Promise.resolve(response),
});
