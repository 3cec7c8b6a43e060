// Runs in each document that a test opens, before its own script: what the browser has made of the document.

/** [red, green, blue, alpha], the first three from 0 to 1, in sRGB. */
function channels(color) {
  const [red, green, blue, alpha = 1] = color.match(/[\d.]+/g).map(Number);
  return [red / 255, green / 255, blue / 255, alpha];
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color) {
  const [red, green, blue] = channels(color).map((channel) =>
    channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one, other) {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** The color behind an element: that of the nearest one around it that has any. */
function behind(element) {
  for (let around = element; around !== null; around = around.parentElement) {
    const { backgroundColor } = getComputedStyle(around);
    if (channels(backgroundColor)[3] > 0) return backgroundColor;
  }
  throw new Error('Nothing has a background.');
}

const reported = (text, ratio) => `${text.trim()}: ${ratio.toFixed(2)}`;
const tooFaint = ([, ratio]) => ratio < 4.5;

/** Of every visible text of a page, the hint of its filter and the names of columns beside cells too. */
function pageContrasts() {
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode() !== null) {
    const { data, parentElement: element } = texts.currentNode;
    if (data.trim() !== '' && element.checkVisibility())
      found.push([data, contrast(getComputedStyle(element).color, behind(element))]);
  }
  for (const [selector, pseudo] of [
    ['[placeholder]', '::placeholder'],
    ['td', '::before'],
  ])
    for (const element of document.querySelectorAll(selector)) {
      const { color, content } = getComputedStyle(element, pseudo);
      if (pseudo === '::placeholder' || content !== 'none')
        found.push([`${selector}${pseudo}`, contrast(color, behind(element))]);
    }
  return found;
}

const area = (element) => element.getBoundingClientRect();
const within = (inner, outer) =>
  inner.left >= outer.left - 0.5 &&
  inner.right <= outer.right + 0.5 &&
  inner.top >= outer.top - 0.5 &&
  inner.bottom <= outer.bottom + 0.5;

/** The texts of a picture, each with the innermost area that is drawn behind its begin. */
function textsOfPicture() {
  const behindThem = [];
  const texts = [];
  for (const element of document.querySelectorAll('rect, text')) {
    const place = area(element);
    if (element.localName === 'rect') {
      behindThem.push({ element, place });
      continue;
    }
    const y = (place.top + place.bottom) / 2;
    const around = behindThem.findLast(
      ({ place: { left, right, top, bottom } }) =>
        left <= place.left && place.left <= right && top <= y && y <= bottom,
    );
    texts.push({ text: element.textContent, element, place, around });
  }
  return texts;
}

globalThis.measures = {
  /** How many texts there are, and those with too little contrast. */
  page() {
    const found = pageContrasts();
    return {
      texts: found.length,
      faint: found.filter(tooFaint).map(([text, ratio]) => reported(text, ratio)),
    };
  },

  /** The same for a picture, and the texts that leave the area behind them or are outside of what is shown. */
  picture() {
    const { width, height } = document.documentElement.viewBox.baseVal;
    const whole = { left: 0, top: 0, right: width, bottom: height };
    const texts = textsOfPicture();
    return {
      texts: texts.length,
      faint: texts
        .map(({ text, element, around }) => [
          text,
          contrast(getComputedStyle(element).fill, getComputedStyle(around.element).fill),
        ])
        .filter(tooFaint)
        .map(([text, ratio]) => reported(text, ratio)),
      outside: texts
        .filter(({ place, around }) => !within(place, around.place) || !within(place, whole))
        .map(({ text }) => text),
      size: [area(document.documentElement).width, area(document.documentElement).height],
      drawnSize: [width, height],
      canvas: getComputedStyle(document.documentElement).backgroundColor,
    };
  },

  /** What has the focus: its name, whether a ring shows it, and whether it is in view with nothing over it. */
  focused() {
    const element = document.activeElement;
    const { left, top, width, height } = area(element);
    const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(element);
    const there = document.elementFromPoint(left + Math.min(width / 2, 20), top + height / 2);
    return {
      name: element.id || element.textContent,
      ring:
        outlineStyle === 'solid' &&
        parseFloat(outlineWidth) >= 2 &&
        contrast(outlineColor, behind(element.parentElement)) >= 3,
      inView: element.contains(there),
    };
  },

  /** The narrowest cell in pixels, and by how much the page is wider than its window. */
  widths() {
    const cells = [...document.querySelectorAll('td')].map((cell) => {
      const { paddingLeft, paddingRight } = getComputedStyle(cell);
      return area(cell).width - parseFloat(paddingLeft) - parseFloat(paddingRight);
    });
    const { scrollWidth, clientWidth } = document.documentElement;
    return { narrowest: Math.min(...cells), overflow: scrollWidth - clientWidth };
  },

  /** Of these names, those whose row the filter does not show, or shows with all others. */
  notFound(names) {
    const filter = document.getElementById('filter');
    const rows = [...document.querySelectorAll('tbody tr')];
    return names.filter((name) => {
      filter.value = name;
      filter.dispatchEvent(new Event('input'));
      const left = rows.filter((row) => !row.hidden);
      return left.length > 20 || !left.some((row) => row.firstElementChild.textContent === name);
    });
  },

  /** First texts of the rows that are visible. */
  shownRows() {
    return [...document.querySelectorAll('tbody tr')]
      .filter((row) => row.checkVisibility() && area(row).height > 0)
      .map((row) => row.firstElementChild.textContent);
  },
};
