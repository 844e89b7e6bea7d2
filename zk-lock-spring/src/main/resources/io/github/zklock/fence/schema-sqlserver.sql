create table zk_lock_fence (
    lock_name nvarchar(512) collate Latin1_General_100_BIN2 not null,
    token bigint not null,
    holder nvarchar(200),
    raised_at datetime2(6),
    constraint zk_lock_fence_pk primary key nonclustered (lock_name)
);
