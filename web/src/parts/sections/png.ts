/** Twice the size on the screen: sharp in a document. */
const SCALE = 2;

/** A drawn chart as a picture. All of it happens in this page: the SVG becomes an image, the image a canvas. */
export async function pngOf(chart: HTMLElement): Promise<Blob> {
  // The legend has little drawings of its own: the chart is the one directly inside.
  const svg = chart.querySelector<SVGSVGElement>(":scope > svg");
  if (!svg) throw new Error("there is no chart to draw");
  const { width, height } = svg.getBoundingClientRect();
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg, width, height))}`;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = width * SCALE;
  canvas.height = height * SCALE;
  const context = canvas.getContext("2d");
  if (!context) throw new Error("this browser draws no pictures");
  context.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--background").trim() || "#ffffff";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  drawLegend(context, chart, svg);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("the picture could not be made"))), "image/png");
  });
}

/** The legend is not part of the SVG, which leaves room for it: each entry is drawn where it stands on the page. */
function drawLegend(context: CanvasRenderingContext2D, chart: HTMLElement, svg: SVGSVGElement): void {
  const origin = svg.getBoundingClientRect();
  context.scale(SCALE, SCALE);
  context.font = "12px system-ui, sans-serif";
  context.textBaseline = "middle";
  for (const entry of chart.querySelectorAll<HTMLElement>(".recharts-legend-item")) {
    const { left, top, height } = entry.getBoundingClientRect();
    const words = entry.querySelector<HTMLElement>(".recharts-legend-item-text") ?? entry;
    context.fillStyle = getComputedStyle(words).color;
    const [x, y] = [left - origin.left, top - origin.top + height / 2];
    context.fillRect(x, y - 5, 10, 10);
    context.fillText(words.textContent, x + 16, y);
  }
}

/** Outside the page there are no variables and no styles: the colours and the font go along. */
function standalone(svg: SVGSVGElement, width: number, height: number): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("width", String(width));
  copy.setAttribute("height", String(height));
  copy.setAttribute("font-family", "system-ui, sans-serif");
  const style = getComputedStyle(document.documentElement);
  return new XMLSerializer()
    .serializeToString(copy)
    .replace(/var\((--[\w-]+)\)/g, (_, name: string) => style.getPropertyValue(name).trim() || "currentColor");
}
