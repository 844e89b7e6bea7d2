package io.github.zklock.console;

/** Why there is no answer. */
record Problem(String error) implements JsonRecord {}
