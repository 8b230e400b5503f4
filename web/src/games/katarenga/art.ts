// Made by web/make_art.py from the Python sources; do not edit.
export const TILES = {"A": ["RYBG", "GRGB", "YYBR", "BGRY"], "a": ["RGYB", "YRYG", "BGBR", "GBRY"], "B": ["RYGB", "GYRY", "BBGR", "YRBG"], "b": ["RGBY", "YYBR", "GRGB", "BYRG"], "C": ["RGBY", "YYGR", "BBRG", "GRYB"], "c": ["RYBG", "GYBR", "BGRY", "YRGB"], "D": ["RGBY", "YYBR", "BGRG", "GRYB"], "d": ["RYBG", "GYGR", "BBRY", "YRGB"]};
