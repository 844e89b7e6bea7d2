package com.example.ordershop;

import io.github.zklock.LockException;
import io.github.zklock.LockLostException;
import io.github.zklock.LockTimeoutException;
import io.github.zklock.LockUnavailableException;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.context.request.WebRequest;
import org.springframework.web.servlet.mvc.method.annotation.ResponseEntityExceptionHandler;
import tools.jackson.databind.DatabindException;

/**
 * HTTP responses to failures of locks, and to requests with an unreadable field. The messages of the failures name
 * instances and threads, so they are logged and not sent to the client.
 */
@RestControllerAdvice
final class ErrorResponses extends ResponseEntityExceptionHandler {

    /** Another caller holds the lock, or its transaction is not over: a retry is useful. */
    @ExceptionHandler({LockTimeoutException.class, CannotAcquireLockException.class})
    ResponseEntity<ProblemDetail> busy(Exception busy) {
        return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(problem("Busy", "Another request works on this. Try again.", busy));
    }

    /** ZooKeeper is unreachable: the time of recovery is unknown, so there is no {@code Retry-After}. */
    @ExceptionHandler
    ProblemDetail unavailable(LockUnavailableException unavailable) {
        return problem(
                "Locks are not available", "Locks cannot be acquired at the moment. Try again later.", unavailable);
    }

    /** The lock was lost during the request: open transactions were rolled back. */
    @ExceptionHandler
    ProblemDetail lost(LockLostException lost) {
        return problem("Lock lost", "Look whether the change was made before you try again.", lost);
    }

    @Override
    protected @Nullable ResponseEntity<Object> handleHttpMessageNotReadable(
            HttpMessageNotReadableException unread, HttpHeaders headers, HttpStatusCode status, WebRequest request) {
        if (unread.getCause() instanceof DatabindException cause
                && !cause.getPath().isEmpty()) {
            String field = cause.getPath().get(0).getPropertyName();
            ProblemDetail problem =
                    ProblemDetail.forStatusAndDetail(status, field + " cannot be read: " + cause.getOriginalMessage());
            return handleExceptionInternal(unread, problem, headers, status, request);
        }
        return super.handleHttpMessageNotReadable(unread, headers, status, request);
    }

    private ProblemDetail problem(String title, String detail, Exception failure) {
        logger.info(title + ": " + failure.getMessage());
        ProblemDetail problem = ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, detail);
        problem.setTitle(title);
        if (failure instanceof LockException ofLock) {
            problem.setProperty("lock", ofLock.name().value());
        }
        return problem;
    }
}
