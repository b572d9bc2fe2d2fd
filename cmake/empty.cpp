// Placeholder of a module that has no source file yet.
