package io.github.zklock.kotlin

import io.github.zklock.LockLostException
import io.github.zklock.LockTimeoutException
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.NonCancellable
import kotlinx.coroutines.TimeoutCancellationException
import kotlinx.coroutines.async
import kotlinx.coroutines.awaitAll
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.cancelAndJoin
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext
import kotlinx.coroutines.withTimeout
import org.assertj.core.api.Assertions.assertThat
import org.junit.jupiter.api.Test
import org.junit.jupiter.api.Timeout

@Timeout(60)
class SuspendingCallTest : KotlinTest(Orders::class.java) {

    private val orders = context.getBean(Orders::class.java)

    private suspend fun failureOf(call: suspend () -> Any?): Throwable? =
        try {
            call()
            null
        } catch (failure: Throwable) {
            failure
        }

    @Test
    fun `a suspending function runs under its lock until it ends`() = runBlocking<Unit> {
        val within = orders.work("4/2") {
            delay(1)
            held()
        }

        assertThat(within).containsExactly("/orders/4%2F2")
        assertThat(held()).isEmpty()
    }

    @Test
    fun `a function without a result holds until it ends`() = runBlocking<Unit> {
        val within = CompletableDeferred<List<String>>()

        orders.nothing("1") {
            delay(1)
            within.complete(held())
        }

        assertThat(within.await()).containsExactly("/orders/1")
        assertThat(held()).isEmpty()
    }

    @Test
    fun `null is a result`() = runBlocking<Unit> {
        assertThat(orders.nullable("1")).isNull()
    }

    @Test
    fun `the thread is free while others hold the lock`() = runBlocking<Unit> {
        val other = heldByOthers("/orders/1")
        val call = async { orders.work("1") { "ran" } }
        val meanwhile = async {
            eventually { awaited().contains("/orders/1") }
            other.close()
        }

        awaitAll(call, meanwhile)

        assertThat(call.await()).isEqualTo("ran")
    }

    @Test
    fun `a failure gets out unchanged`() = runBlocking<Unit> {
        val failure = IllegalStateException("business")

        val thrown = failureOf {
            orders.work<String>("1") {
                delay(1)
                throw failure
            }
        }

        // coroutines may copy an exception to add a stack trace, and keep the original as its cause
        assertThat(thrown).isInstanceOf(IllegalStateException::class.java).hasMessage("business")
        assertThat(generateSequence(thrown) { it.cause }.last()).isSameAs(failure)
        assertThat(failure.suppressed).isEmpty()
    }

    @Test
    fun `the token is filled in`() = runBlocking<Unit> {
        assertThat(orders.token("1")!!.value()).isPositive()
        assertThat(orders.handle("1")!!.name().value()).isEqualTo("/orders/1")
    }

    @Test
    fun `a nested call re-enters on another dispatcher`() = runBlocking<Unit> {
        val within = orders.reEnter("1") {
            withContext(Dispatchers.IO) {
                delay(1)
                orders.reEnter("1") { heldHere() }
            }
        }

        assertThat(within).isEqualTo(listOf("/orders/1", "/orders/1"))
    }

    @Test
    fun `children of a coroutine share its hold`() = runBlocking<Unit> {
        val results = orders.reEnter("1") {
            withContext(Dispatchers.Default) {
                List(8) { async { orders.reEnter("1") { it } } }.awaitAll()
            }
        }

        assertThat(results).isEqualTo((0..7).toList())
    }

    @Test
    fun `a busy lock fails the call`() = runBlocking<Unit> {
        heldByOthers("/orders/1").use {
            assertThat(failureOf { orders.impatient("1") }).isInstanceOf(LockTimeoutException::class.java)
        }
    }

    @Test
    fun `a skipped call returns nothing, null or false`() = runBlocking<Unit> {
        heldByOthers("/orders/1").use {
            orders.skippedUnit("1")
            assertThat(orders.skippedNull("1")).isNull()
            assertThat(orders.skippedBoolean("1")).isFalse()
        }
    }

    @Test
    fun `a job runs once per window`() = runBlocking<Unit> {
        assertThat(orders.once("closing")).isTrue()
        assertThat(orders.once("closing")).isFalse()
    }

    @Test
    fun `a fallback may suspend`() = runBlocking<Unit> {
        heldByOthers("/orders/1").use {
            assertThat(orders.withSuspendingFallback("1")).isEqualTo("1 LockTimeoutException")
            assertThat(orders.withPlainFallback("1")).isEqualTo("1 instead")
        }
    }

    @Test
    fun `cancellation while waiting leaves the queue`() = runBlocking<Unit> {
        heldByOthers("/orders/1").use {
            val call = launch(Dispatchers.Default) { orders.work("1") { throw AssertionError("Must not run") } }
            eventually { awaited().contains("/orders/1") }

            call.cancelAndJoin()

            eventually { awaited().isEmpty() }
        }
    }

    @Test
    fun `a timeout of the caller ends the wait`() = runBlocking<Unit> {
        heldByOthers("/orders/1").use {
            val thrown = failureOf { withTimeout(10) { orders.work("1") { "never" } } }

            assertThat(thrown).isInstanceOf(TimeoutCancellationException::class.java)
            eventually { awaited().isEmpty() }
        }
    }

    @Test
    fun `cancellation gives the lock back`() = runBlocking<Unit> {
        val call = launch(Dispatchers.Default) { orders.work<Unit>("1") { awaitCancellation() } }
        eventually { held().contains("/orders/1") }

        call.cancelAndJoin()

        eventually { held().isEmpty() }
    }

    @Test
    fun `code that is not cancellable runs on without the lock`() = runBlocking<Unit> {
        val started = CompletableDeferred<Unit>()
        val withoutLock = CompletableDeferred<List<String>>()
        val call = launch(Dispatchers.Default) {
            orders.work<Unit>("1") {
                try {
                    started.complete(Unit)
                    awaitCancellation()
                } finally {
                    withContext(NonCancellable) {
                        while (held().isNotEmpty()) {
                            delay(1)
                        }
                        withoutLock.complete(held())
                    }
                }
            }
        }
        started.await()

        call.cancelAndJoin()

        assertThat(withoutLock.await()).isEmpty()
    }

    @Test
    fun `a loss that interrupts cancels the coroutine`() = runBlocking<Unit> {
        val started = CompletableDeferred<Unit>()
        val cancelled = CompletableDeferred<Unit>()
        val call = CoroutineScope(Dispatchers.Default).async {
            failureOf {
                orders.interrupted("1") {
                    try {
                        started.complete(Unit)
                        awaitCancellation()
                    } finally {
                        cancelled.complete(Unit)
                    }
                }
            }
        }
        started.await()

        lose("/orders/1")

        assertThat(call.await()).isInstanceOf(LockLostException::class.java)
        cancelled.await()
    }

    @Test
    fun `a call of the object on itself runs without the lock`() = runBlocking<Unit> {
        assertThat(orders.selfInvoked("1")).isEmpty()
    }

    @Test
    fun `nothing is held outside`() = runBlocking<Unit> {
        orders.work("1") { }

        assertThat(heldHere()).isEmpty()
    }
}
