import type { HttpClient, HttpMethods, Pipeline } from '@azure/core-rest-pipeline';
import type { Context, Middleware } from '@microsoft/microsoft-graph-client';
import * as z from 'zod';
import { openPipeline, requestSignal } from '../../azure/pipeline';

const methods = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'] satisfies HttpMethods[];

/** A request of the client, with all options that it passes here. */
const requestSchema = z.object({
  request: z.string(),
  options: z.object({
    method: z.enum(methods),
    headers: z.record(z.string(), z.string()),
    body: z.string().optional(),
    signal: z.instanceof(AbortSignal),
  }),
});

/**
 * The last step of the client: sends requests with the Azure SDK's policies. The client's own last step uses `fetch`,
 * which does not support proxies (Node 20).
 */
export class PipelineHandler implements Middleware {
  private pipeline: Promise<Pipeline> | undefined;
  private client: HttpClient | undefined;

  async execute(context: Context): Promise<void> {
    const { request: url, options } = requestSchema.parse(context);
    const { method, headers, body, signal } = options;
    const rest = await import('@azure/core-rest-pipeline');
    this.pipeline ??= openPipeline();
    const pipeline = await this.pipeline;
    signal.throwIfAborted();
    this.client ??= rest.createDefaultHttpClient();
    const request = rest.createPipelineRequest({
      url,
      method,
      headers: rest.createHttpHeaders(headers),
      abortSignal: requestSignal(method, signal),
      ...(body === undefined ? {} : { body }),
    });
    const answer = await pipeline.sendRequest(this.client, request);
    context.response = new Response(answer.bodyAsText || null, {
      status: answer.status,
      headers: answer.headers.toJSON(),
    });
  }
}
