/** TimelinePlot: lines over time with the steps as bands; a line at the time that is shown. Nothing is redrawn while that moves. */

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { formatNumber } from "../../../state/shared/numbers";
import { type Lines, margins } from "./timeline-series";

export interface Band {
  readonly id: string;
  readonly number: string;
  readonly start: number;
  readonly end: number;
}

export interface PlotStyle {
  readonly text: string;
  readonly grid: string;
  readonly band: string;
  /** As #rrggbb. */
  readonly stop: string;
  readonly font: string;
  readonly lines: readonly string[];
}

export interface PlotContent {
  readonly lines: Lines;
  readonly bands: readonly Band[];
  /** Where the program stops, and at which step; null: it comes to its end. */
  readonly stop: { readonly time: number; readonly id: string } | null;
  readonly style: PlotStyle;
  readonly floor: boolean;
}

/** Height of the strip with the numbers of the steps, CSS pixels. */
export const STRIP_PX = 16;

export class TimelinePlot {
  readonly #plot: uPlot;
  readonly #cursor = document.createElement("div");
  readonly #now = document.createElement("div");
  #time = 0;
  #current: Band | null = null;

  constructor(
    host: HTMLElement,
    private readonly content: PlotContent,
    private view: readonly [number, number],
    size: { readonly width: number; readonly height: number },
  ) {
    const { lines } = content;
    this.#plot = new uPlot(this.#options(size), [lines.t, ...lines.lines.map(({ values }) => values)], host);
    this.#now.className = "now";
    this.#cursor.className = "cursor";
    this.#plot.over.append(this.#now, this.#cursor);
  }

  /** Where on the page the lines are drawn. */
  get over(): HTMLElement {
    return this.#plot.over;
  }

  /** Show another part of the time. */
  show(view: readonly [number, number]): void {
    this.view = view;
    this.#plot.setScale("x", { min: view[0], max: view[1] });
    this.setTime(this.#time);
  }

  resize(width: number, height: number): void {
    this.#plot.setSize({ width, height });
    this.setTime(this.#time);
  }

  setTime(seconds: number): void {
    this.#time = seconds;
    const x = this.#plot.valToPos(seconds, "x");
    const inside = x >= -1 && x <= this.#plot.over.clientWidth + 1;
    this.#cursor.style.visibility = inside ? "visible" : "hidden";
    this.#cursor.style.transform = `translateX(${x}px)`;
    this.#markCurrent();
  }

  /** Set apart the band of a step. */
  setCurrent(band: Band | null): void {
    if (band === this.#current) return;
    this.#current = band;
    this.#markCurrent();
  }

  /** The time at a place on the page. */
  timeAt(clientX: number): number {
    return this.#plot.posToVal(clientX - this.#plot.over.getBoundingClientRect().left, "x");
  }

  dispose(): void {
    this.#plot.destroy();
  }

  #markCurrent(): void {
    const { style } = this.#now;
    if (this.#current === null) {
      style.visibility = "hidden";
      return;
    }
    const width = this.#plot.over.clientWidth;
    const from = Math.max(0, this.#plot.valToPos(this.#current.start, "x"));
    const to = Math.min(width, this.#plot.valToPos(this.#current.end, "x"));
    style.visibility = to > from ? "visible" : "hidden";
    style.transform = `translateX(${from}px)`;
    style.width = `${Math.max(0, to - from)}px`;
  }

  #options(size: { readonly width: number; readonly height: number }): uPlot.Options {
    const { lines, style, floor } = this.content;
    const axis = {
      stroke: style.text,
      font: style.font,
      grid: { stroke: style.grid, width: 1 },
      ticks: { show: false },
    };
    return {
      ...size,
      padding: [STRIP_PX, 12, 0, 0],
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { time: false, range: () => [this.view[0], this.view[1]] },
        y: { range: (_, low, high) => margins(low, high, floor) },
      },
      axes: [
        {
          ...axis,
          size: 24,
          gap: 4,
          space: 64,
          values: (_, ticks) => ticks.map((one) => `${trimmed(one)} s`),
        },
        { ...axis, size: 56, gap: 6, space: 26, values: (_, ticks) => ticks.map(trimmed) },
      ],
      series: [
        {},
        ...lines.lines.map(({ label }, i): uPlot.Series => ({
          label,
          stroke: style.lines[i % style.lines.length] ?? style.text,
          width: 1.75,
          points: { show: false },
        })),
      ],
      hooks: { drawClear: [(plot) => this.#drawBands(plot)], draw: [(plot) => this.#drawStop(plot)] },
    };
  }

  #drawBands(plot: uPlot): void {
    const { ctx, bbox } = plot;
    const { bands, style, stop } = this.content;
    const ratio = devicePixelRatio;
    ctx.save();
    ctx.beginPath();
    ctx.rect(bbox.left, 0, bbox.width, bbox.top + bbox.height);
    ctx.clip();
    ctx.font = style.font.replace(/^(\d+)px/, (_, px: string) => `${Number(px) * ratio}px`);
    ctx.textBaseline = "middle";
    ctx.textAlign = "center";
    for (const [i, band] of bands.entries()) {
      const from = plot.valToPos(band.start, "x", true);
      const to = plot.valToPos(band.end, "x", true);
      if (to < bbox.left || from > bbox.left + bbox.width) continue;
      const failing = stop !== null && band.id === stop.id;
      if (i % 2 === 0 || failing) {
        ctx.fillStyle = failing ? `${style.stop}29` : style.band;
        ctx.fillRect(from, 0, to - from, bbox.top + bbox.height);
      }
      if (to - from < (band.number.length * 7 + 6) * ratio) continue;
      ctx.fillStyle = failing ? style.stop : style.text;
      const middle = (Math.max(from, bbox.left) + Math.min(to, bbox.left + bbox.width)) / 2;
      ctx.fillText(band.number, middle, bbox.top / 2 + ratio);
    }
    ctx.restore();
  }

  #drawStop(plot: uPlot): void {
    const { stop, style } = this.content;
    if (stop === null) return;
    const { ctx, bbox } = plot;
    const x = Math.round(plot.valToPos(stop.time, "x", true));
    if (x < bbox.left - 1 || x > bbox.left + bbox.width + 1) return;
    ctx.save();
    ctx.strokeStyle = style.stop;
    ctx.lineWidth = 1.5 * devicePixelRatio;
    ctx.setLineDash([4 * devicePixelRatio, 3 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(x, 0);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
    ctx.restore();
  }
}

const trimmed = (value: number): string =>
  formatNumber(value, 3)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
