package io.github.zklock.faults.timeline;

/**
 * A write to the register: a holder writes one more than it has read.
 *
 * @param at when the register accepted or rejected the write
 * @param cell the number that was written: each lock has a fenced one and a plain one
 * @param fenced whether writes of the number carry tokens
 * @param by the process
 * @param hold the number of its grant
 * @param readAt when the process had read the number
 * @param read the number that it had read
 * @param found the number before the write
 * @param refused whether the register had seen a higher token
 * @param checkedAt when the handle last answered "held"; 0 if its last answer was "not held"
 * @param remaining for how long, by that answer
 */
public record RegisterWrite(
        long at,
        String cell,
        boolean fenced,
        String by,
        long hold,
        long readAt,
        long read,
        long found,
        boolean refused,
        long checkedAt,
        long remaining) {

    public static final String REGISTER = "register";

    private static final String FIELDS = "cell fenced by hold readAt read found refused checkedAt remaining";

    static RegisterWrite of(Event event) {
        return new RegisterWrite(
                event.at(),
                event.text("cell"),
                event.flag("fenced"),
                event.text("by"),
                event.number("hold"),
                event.number("readAt"),
                event.number("read"),
                event.number("found"),
                event.flag("refused"),
                event.number("checkedAt"),
                event.number("remaining"));
    }

    /** Returns the event from which {@link #of(Event)} restores this write. */
    public Event toEvent() {
        Object[] values = {cell, fenced, by, hold, readAt, read, found, refused, checkedAt, remaining};
        return Event.of(REGISTER, at, Event.Kind.REGISTER_WRITTEN, FIELDS, values);
    }

    /** Returns whether the write overwrote one that came after it had read. */
    public boolean overwritesAnother() {
        return !refused && read != found;
    }

    /** Returns whether the write came within the time for which the handle had answered "held". */
    public boolean isWhileHeld() {
        return checkedAt != 0 && at - checkedAt < remaining;
    }

    @Override
    public String toString() {
        return by + "#" + hold + "'s write of " + (read + 1) + " to " + cell;
    }
}
