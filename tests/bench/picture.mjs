// Previews as a picture: processor seconds and memory of the program's process by number of resources in the cloud.

const width = 360;
const height = 220;
const margin = { left: 52, top: 40, right: 16, bottom: 44 };
const between = 40;
const series = [
  { name: 'this program', key: 'program', colour: '#1f5fa8' },
  { name: 'flat program', key: 'flat', colour: '#c2571a' },
  { name: 'flat, same workarounds', key: 'relieved', colour: '#7a8a3a' },
];

/** Returns an SVG with a panel for time and one for memory. */
export function drawPreviews(rows) {
  const panels = [
    { title: "processor seconds of the program's process", figure: 'programSeconds' },
    { title: "peak memory of the program's process, MB", figure: 'programMegabytes' },
  ];
  const full = panels.length * (width + between);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${full} ${height + 60}" font-family="Helvetica, Arial, sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${panels.map((panel, index) => `<g transform="translate(${index * (width + between)} 0)">\n${drawPanel(rows, panel)}\n</g>`).join('\n')}
${series.map(({ name, colour }, index) => `<g transform="translate(${margin.left + index * 140} ${height + 40})"><rect width="14" height="4" y="-6" fill="${colour}"/><text x="20">${name}</text></g>`).join('\n')}
</svg>
`;
}

function drawPanel(rows, { title, figure }) {
  const right = Math.max(...rows.map(({ customResources }) => customResources));
  const top = roundedUp(Math.max(...rows.flatMap((row) => series.map(({ key }) => row[key][figure]))));
  const x = (value) => round(margin.left + (value / right) * (width - margin.left - margin.right));
  const y = (value) => round(height - margin.bottom + 24 - (value / top) * (height - margin.top - 20));
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const value = share * top;
    return `<line x1="${margin.left}" x2="${width - margin.right}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/><text x="${margin.left - 6}" y="${y(value) + 4}" text-anchor="end" fill="#555">${round(value)}</text>`;
  });
  const lines = series.map(({ key, colour }) => {
    const points = rows.map((row) => [x(row.customResources), y(row[key][figure])]);
    return `<polyline points="${points.map((point) => point.join(',')).join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>${points.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3" fill="${colour}"/>`).join('')}`;
  });
  const labels = rows.map(
    ({ clusters, customResources }) =>
      `<text x="${x(customResources)}" y="${y(0) + 16}" text-anchor="middle" fill="#555">${clusters}</text>`,
  );
  return [
    `<text x="${margin.left}" y="20" font-weight="bold">${title}</text>`,
    ...grid,
    ...lines,
    ...labels,
    `<text x="${width - margin.right}" y="${y(0) + 30}" text-anchor="end" fill="#555">clusters</text>`,
  ].join('\n');
}

const round = (value) => Math.round(value * 10) / 10;

/** Rounds up to a number with one digit other than zero that is easy to divide by four. */
function roundedUp(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 4, 6, 8, 10].find((factor) => factor * power >= value) ?? 10) * power;
}
