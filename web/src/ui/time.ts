/** 12:05, 1:02:03, and with tenths below 20 seconds. */
export function formatTime(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const end = String(seconds % 60).padStart(2, "0");
  if (hours) return `${hours}:${String(minutes).padStart(2, "0")}:${end}`;
  return milliseconds < 20_000 ? `${minutes}:${end}.${Math.floor((milliseconds % 1000) / 100)}` : `${minutes}:${end}`;
}
