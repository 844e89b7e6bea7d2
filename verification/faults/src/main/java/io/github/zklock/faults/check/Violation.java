package io.github.zklock.faults.check;

/**
 * A violation of a rule.
 *
 * @param at the instant at which it shows
 * @param text the rule, the processes and the measured values
 */
public record Violation(long at, String text) {

    @Override
    public String toString() {
        return text;
    }
}
