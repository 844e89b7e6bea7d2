package io.github.zklock.zookeeper.internal.runtime;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A list whose links are fields of its elements, so that it does not allocate. Owned by the loop. */
public final class Chain<E extends Chain.Link<E>> {

    /** The links of an element, which is in one chain at most. Only the chain uses them. */
    public abstract static class Link<E> {

        @Nullable E previous;

        @Nullable E next;

        boolean isChained;
    }

    private @Nullable E first;
    private @Nullable E last;
    private int size;

    /*
     * Invariant: the methods that change the chain call no other method, so at the end of a stack either all of their work
     * happens or nothing. (L26)
     */

    /** Adds the element at the end. Returns false if it is here already. */
    public boolean add(E element) {
        if (element.isChained) {
            return false;
        }
        element.previous = last;
        element.next = null;
        element.isChained = true;
        size++;
        if (last == null) {
            first = element;
        } else {
            last.next = element;
        }
        last = element;
        return true;
    }

    /** Removes the element, if it is here. */
    public void remove(E element) {
        if (element.isChained) {
            E before = element.previous;
            E after = element.next;
            if (before == null) {
                first = after;
            } else {
                before.next = after;
            }
            if (after == null) {
                last = before;
            } else {
                after.previous = before;
            }
            element.previous = null;
            element.next = null;
            element.isChained = false;
            size--;
        }
    }

    /** Moves the first element to the end. */
    public void moveFirstToEnd() {
        E oldest = first;
        E end = last;
        if (oldest != null && end != null && oldest.next != null) {
            first = oldest.next;
            oldest.next.previous = null;
            oldest.next = null;
            oldest.previous = end;
            end.next = oldest;
            last = oldest;
        }
    }

    public @Nullable E first() {
        return first;
    }

    public boolean isEmpty() {
        return first == null;
    }

    public int size() {
        return size;
    }

    /** Calls the action for each element. The action may remove its element. */
    public void forEach(Consumer<? super E> action) {
        E element = first;
        while (element != null) {
            E next = element.next;
            action.accept(element);
            element = next;
        }
    }
}
