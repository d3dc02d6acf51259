import asyncio


class Context:
    async def __aenter__(self):
        return self

    async def __aexit__(self, *args):
        pass


async def numbers(n):
    for i in range(n):
        await asyncio.sleep(0)
        yield i


async def work(n):
    out = []
    async for i in numbers(n):
        out.append(i)
    else:
        out.append("else")
    async with Context() as context:
        out.append(context is not None)
    out += [x async for x in numbers(n)]
    value = await asyncio.gather(
        asyncio.sleep(0, 1),
        asyncio.sleep(0, 2),
    )
    return out, value


def run(coroutine):
    loop = asyncio.new_event_loop()
    try:
        return loop.run_until_complete(coroutine)
    finally:
        loop.close()


calls = [lambda: run(work(2)), lambda: run(work(0))]
