package io.github.zklock.zookeeper;

/** A seat of this process in front of another one of its: it tells itself when it leaves, and the servers are not asked. */
final class OwnFront implements Front {

    private final Seat inFront;
    private final String path;
    private final Departure.Heir behind;

    OwnFront(Seat inFront, String path, Departure.Heir behind) {
        this.inFront = inFront;
        this.path = path;
        this.behind = behind;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public void arm() {
        inFront.inheritedBy(behind);
    }

    @Override
    public boolean isOfThisProcess() {
        return true;
    }

    @Override
    public boolean mayHaveMissedSomething() {
        return false;
    }

    @Override
    public boolean isOver() {
        return inFront.path() == null;
    }

    @Override
    public void end() {
        inFront.notInheritedBy(behind);
    }
}
