import { createLimiter } from '../../../verification/limiter';

describe('the limiter', () => {
  it('runs no more than the limit at a time and everything in the end', async () => {
    const limited = createLimiter(3);
    let running = 0;
    let most = 0;
    const results = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        limited(async () => {
          running += 1;
          most = Math.max(most, running);
          await new Promise((resolve) => setImmediate(resolve));
          running -= 1;
          return index;
        }),
      ),
    );
    expect(most).toBe(3);
    expect(results).toEqual(Array.from({ length: 20 }, (_, index) => index));
  });

  it('frees the place of one that fails', async () => {
    const limited = createLimiter(1);
    await expect(limited(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(limited(() => Promise.resolve('next'))).resolves.toBe('next');
  });
});
