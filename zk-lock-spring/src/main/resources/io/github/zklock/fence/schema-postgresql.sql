create table if not exists zk_lock_fence (
    lock_name varchar(512) not null,
    token bigint not null,
    holder varchar(200),
    raised_at timestamp(6),
    constraint zk_lock_fence_pk primary key (lock_name)
);
