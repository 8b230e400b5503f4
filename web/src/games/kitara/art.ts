// Made by web/make_art.py from the Python sources; do not edit.
export const LAND = {"savanna": ["#ecc873", "#e6bd62", "#f0d084"], "ruin": ["#94b866", "#88ae5b", "#9dbf70"]};
export const STANDS = {"1": [[0.0, -2.0, 1.06, 18.0, 11.0]], "2": [[-15.5, -2.0, 0.92, -20.0, 15.0], [15.5, -2.0, 0.92, 20.0, 15.0]], "3": [[-19.0, 6.0, 0.8, -24.0, 20.0], [17.0, 7.0, 0.8, 24.0, 20.0], [-2.0, -15.0, 0.8, 15.0, -23.0]]};
export const COLOURS = [{"light": "#e2563c", "main": "#b8261c", "deep": "#7d120f", "ink": "#ffe9c9", "rim": "#2c0a06", "halo": "#fff7df"}, {"light": "#7cb2f5", "main": "#3b7bd8", "deep": "#1c4a9c", "ink": "#ffffff", "rim": "#081d42", "halo": "#fff7df"}, {"light": "#5d5663", "main": "#312c36", "deep": "#15121a", "ink": "#ffe08a", "rim": "#08060a", "halo": "#fff7df"}, {"light": "#ffffff", "main": "#f4f1ea", "deep": "#cfc8ba", "ink": "#3a2412", "rim": "#8a7660", "halo": "#2a1a10"}];
export const GROWTH = {"savanna": ["grass", "tuft", "grass", "stones", "tuft", "grass", "tuft"], "ruin": ["fern", "rubble", "fern", "fern"], "lake": ["ripple"]};
export const TREES = {"savanna": "acacia", "ruin": "bush"};
export const CARD_ROWS = {"draft": 15, "pawns": 64, "move": 106, "prosperity": 138};
export const SCENES = 5;
export const AGES = ["0", "I", "II", "III", "IV", "V"];
export const CARD_POINTS = 2;
export const TOKEN_VALUES = [2, 3, 4, 5];
export const DIFFICULTIES = {"1": {"ages": [1, 1, 1, 2, 2, 3, 3], "yours": 15, "points": 0}, "2": {"ages": [1, 1, 2, 2, 3, 3, 4], "yours": 5, "points": 0}, "3": {"ages": [1, 1, 2, 2, 3, 3, 4], "yours": 0, "points": 5}, "4": {"ages": [1, 2, 2, 3, 3, 4, 4], "yours": 0, "points": 12}, "5": {"ages": [1, 2, 3, 3, 4, 4, 4], "yours": 0, "points": 20}};
export const SCENARIOS = {"open": {"pawns": [0, 0, 0], "points": 0, "wish": -1}, "raiders": {"pawns": [0, 0, 2], "points": 0, "wish": 0}, "guardians": {"pawns": [0, 2, 0], "points": 0, "wish": 1}, "settlers": {"pawns": [3, 0, 0], "points": 0, "wish": 2}, "heirs": {"pawns": [0, 0, 0], "points": 8, "wish": -1}, "empire": {"pawns": [1, 1, 1], "points": 4, "wish": -1}};
