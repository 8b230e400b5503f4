/** 12:05, 1:02:03, and with tenths below 20 seconds. */
export function formatTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const end = String(seconds % 60).padStart(2, "0");
  if (hours) return `${hours}:${String(minutes).padStart(2, "0")}:${end}`;
  return milliseconds < 20_000 ? `${minutes}:${end}.${Math.floor((milliseconds % 1000) / 100)}` : `${minutes}:${end}`;
}

const [HOUR, DAY] = [3_600_000, 86_400_000];

/** 3 days, 5 hours, 12 minutes: the largest unit that fits. */
export function formatSpan(milliseconds: number, language: string): string {
  const [size, unit] =
    milliseconds >= DAY ? [DAY, "day"] : milliseconds >= HOUR ? [HOUR, "hour"] : ([60_000, "minute"] as const);
  const count = size === DAY ? Math.floor((milliseconds / size) * 10) / 10 : Math.floor(milliseconds / size);
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" }).format(count);
}

/** Mon, 3 Nov, 14:05 */
export function formatDay(time: number, language: string): string {
  const format = { weekday: "short", day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" } as const;
  return new Intl.DateTimeFormat(language, format).format(time);
}
