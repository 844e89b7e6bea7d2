package io.github.zklock.console;

import io.github.zklock.autoconfigure.actuate.ForcedRelease.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * What became of a forced release, as JSON.
 *
 * @param owner who made the seat, as it says itself; null if that is not known
 */
record ReleaseReport(String name, String registry, String seat, Outcome outcome, QueueReport.@Nullable Owner owner)
        implements JsonRecord {}
