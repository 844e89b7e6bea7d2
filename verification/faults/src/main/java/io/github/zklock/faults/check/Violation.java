package io.github.zklock.faults.check;

/**
 * How a rule was broken.
 *
 * @param at where on the timeline that shows
 * @param text which rule, who, and by how much
 */
public record Violation(long at, String text) {

    @Override
    public String toString() {
        return text;
    }
}
