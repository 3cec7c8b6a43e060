const today = new Date().getUTCDay();
const names = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** Yesterday, today and tomorrow: days of a window that is open now. */
export const near = [6, 0, 1].map((days) => names[(today + days) % 7] ?? '');

/** The other days, on which a window is closed now. */
export const far = names.filter((name) => !near.includes(name));
