package io.github.zklock.faults.timeline;

/**
 * What the register did when a holder wrote one more than it had read.
 *
 * @param at when the register wrote or refused
 * @param cell which number: each lock has one that is guarded by tokens, and one that is not
 * @param fenced whether tokens guard it
 * @param by the process
 * @param hold its grant, as it counts
 * @param readAt when it had read
 * @param read what it had read, and took for the number as it stands
 * @param found how the number stood
 * @param refused whether a higher token had been there before
 * @param checkedAt when its handle last said that the lock was held; 0 if it said so no more
 * @param remaining for how long, then
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

    /** The source of its events. */
    public static final String REGISTER = "register";

    static RegisterWrite of(Event event) {
        return new RegisterWrite(
                event.at(),
                event.text("cell"),
                Boolean.parseBoolean(event.text("fenced")),
                event.text("by"),
                event.number("hold"),
                event.number("readAt"),
                event.number("read"),
                event.number("found"),
                Boolean.parseBoolean(event.text("refused")),
                event.number("checked"),
                event.number("remaining"));
    }

    /** The event of which {@link #of(Event)} makes the same. */
    public Event toEvent() {
        return Event.of(
                REGISTER,
                at,
                Event.Kind.WROTE,
                "cell",
                cell,
                "fenced",
                fenced,
                "by",
                by,
                "hold",
                hold,
                "readAt",
                readAt,
                "read",
                read,
                "found",
                found,
                "refused",
                refused,
                "checked",
                checkedAt,
                "remaining",
                remaining);
    }

    /** Whether it overwrote what somebody else had written since it read. */
    public boolean losesAnother() {
        return !refused && read != found;
    }

    /** Whether it came while the handle's last word was good. */
    public boolean isInTime() {
        return checkedAt != 0 && at - checkedAt < remaining;
    }

    @Override
    public String toString() {
        return by + "#" + hold + "'s write of " + (read + 1) + " to " + cell;
    }
}
