/** Whether this page has started Python: nobody else loads more of it. */
export const python = { started: false };
