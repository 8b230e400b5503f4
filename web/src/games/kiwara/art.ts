// Made by web/make_art.py from the Python sources; do not edit.
export const TINTS = {"A": "#efe0ae", "B": "#b7c67e", "C": "#e0b28a", "D": "#9fc6b0", "E": "#d4bfd0", "F": "#c6bdab"};
export const VALUES = {"G": 2, "Z": 6, "C": 0, "E": 5, "L": 1};
export const TOKENS = {"G": 6, "Z": 5, "C": 2, "E": 1, "L": 1};
export const OKAPI_POINTS = 5;
export const BOARDS = {"classic": "ABCCCC/ABBCDD/AABCCD/EABBBF/EEFFFF", "president": "ABBBCC/ADDBBC/ADEEBB/DDEFFB/EEEEFB"};
export const TERRITORY_SIGNS = {"A": "M-7 4Q-3.5-1 0 4T7 4M-7-1Q-3.5-6 0-1T7-1", "B": "M-1.4 6Q-2 0-6-3M0 6V-6M1.4 6Q2 0 6-3", "C": "M-7-2L-2 0L0-6M-2 0L-4 6M-2 0L3 1L7-4M3 1L5 6", "D": "M0 6V0M-6.5 0Q-6.5-3-3.5-3Q-3-6.5 0-6.5T3.5-3Q6.5-3 6.5 0Z", "E": "M0 0Q-4.4-6 0-6T0 0Q6-4.4 6 0T0 0Q4.4 6 0 6T0 0Q-6 4.4-6 0T0 0Z", "F": "M-7 3Q-7-1.6-3-1.6T1 3Q-3 5.6-7 3ZM0-1.6Q.4-5.4 3.8-5.4T7-.6Q5 2 1 1"};
