package io.github.zklock.fence;

import io.github.zklock.FencingToken;
import io.github.zklock.LockName;
import java.time.Instant;

/**
 * A transaction that was rejected because a later holder of its lock had passed the fence.
 *
 * @param token the token of the rejected holder
 * @param holder the rejected holder: its instance and thread
 * @param laterToken the token that the later holder has written to the fence table
 * @param laterHolder the later holder; {@code unknown} if the row does not contain it
 */
public record LateWrite(
        LockName lock, FencingToken token, String holder, FencingToken laterToken, String laterHolder, Instant at) {

    @Override
    public String toString() {
        return "transaction under lock '%s' with token %s of %s: token %s of %s is in the fence table"
                .formatted(lock, token, holder, laterToken, laterHolder);
    }
}
