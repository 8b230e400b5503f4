"""Tables in the browser, on their own: the same rules, facts and messages as on a server, without one."""
